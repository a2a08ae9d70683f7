import json
import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from capabilities.policy.consequences import (
    MOST_SHOWN,
    REASONS_SHOWN,
    Known,
    consequences,
    known,
    without_comparison,
)
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.found import Found
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.policy_json import to_json
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.stored import found_json
from capabilities.rules.works import Season, Work, WorkKey, WorkKind
from ledger.stores import policies
from ledger.stores.copies import CopyRow
from ledger.stores.releases import ReleaseRow
from tests.ledger.moments import START
from tests.scene import OWNER, Scene
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

BULK = "Sintel.2010.1080p.BluRay.x264-BULK"
SERIES = Work(
    WorkKey("tmdb", WorkKind.SERIES, "77"),
    "Lantern Street",
    2019,
    seasons=(Season(1, 2019, 12), Season(2, 2020, 12)),
    runtime_minutes=40,
)
FIFTEENTH = "Lantern.Street.2019.E15.1080p.BluRay.x264-GRP"
OFFSET = IdentityPolicy(offsets=(offset_from(f"{SERIES.key} 13-24 = S02E01"),))


async def drafted(scene: Scene, **given: Any) -> dict[str, Any]:
    return await scene.answer("policy.preview", kind="acquisition", **given)


def one_release(title: str, size: int, identity: IdentityPolicy) -> Known:
    """A release that was found for the series, and nothing on the shelf."""
    found = found_json(Found(title, "loopback", "1", size=size, seeders=9, published=START))
    row = ReleaseRow(
        id="rel_1",
        indexer="loopback",
        guid="1",
        title=title,
        size=size,
        info_hash=None,
        found=found,
        work="work_1",
        judgement={"verdict": "same", "grade": "B"},
        identity=None,
        found_at=START,
    )
    held = {"work_1": SERIES}
    return Known([row], 1, held, {"work_1": []}, {"work_1": []}, identity=identity)


@pytest.mark.anyio
async def test_known_releases_that_would_be_judged_otherwise_are_named(scene: Scene) -> None:
    await scene.candidates()
    draft = await drafted(scene, patch='{"refused_tokens": ["bluray"]}')
    found = draft["consequences"]
    assert found["releases_judged"] > 0
    assert (found["newly_accepted"], found["newly_rejected"]) == (0, len(found["examples"]))
    example = next(one for one in found["examples"] if one["title"] == RELEASE)
    assert not example["accepted"]
    assert example["why"] == ['refused_token: the name says "bluray", refused']
    wider = [tier | {"most_per_minute": None} for tier in to_json(AcquisitionPolicy())["tiers"]]
    draft = await drafted(scene, patch=json.dumps({"tiers": wider}))
    assert draft["consequences"]["newly_accepted"] == 1
    assert draft["consequences"]["examples"][0]["title"] == BULK


@pytest.mark.anyio
async def test_known_releases_are_judged_as_their_owner_has_them_read(scene: Scene) -> None:
    title = "Sintel.2010.Zelluloid.x264-OPEN"
    await scene.publish(IdentityPolicy(words=words_from(["replace: Zelluloid => 1080p.BluRay"])))
    offer = Offer(title, GB, torrent=scene.stage.seed.torrent_bytes, tmdb_id=SINTEL)
    async with scene.offering(offer) as offered:
        await offered.candidates()
        draft = await offered.answer(
            "policy.preview", kind="acquisition", patch='{"refused_tokens": ["bluray"]}'
        )
    (example,) = draft["consequences"]["examples"]
    assert example["title"] == title


@pytest.mark.anyio
async def test_what_stands_on_the_shelf_and_could_be_upgraded_is_named(scene: Scene) -> None:
    row = await scene.arrived()
    plan = await scene.answer("organize.plan", OWNER, download=row.id)
    await scene.answer("organize.execute", OWNER, plan=plan["plan"])
    draft = await drafted(scene, patch='{"upgrade_until": "Web 1080p"}')
    found = draft["consequences"]
    assert (found["upgradable_before"], found["upgradable_after"]) == (0, 0)
    first = [*to_json(AcquisitionPolicy())["tiers"]]
    first.insert(0, first.pop(4))
    draft = await drafted(scene, patch=json.dumps({"tiers": first, "upgrade_until": "2160p"}))
    found = draft["consequences"]
    assert (found["upgradable_before"], found["upgradable_after"]) == (0, 1)
    assert found["newly_upgradable"] == ["Sintel (2010)"]


NOW = START + timedelta(days=1)
STRICT = AcquisitionPolicy()
WIDE = replace(STRICT, tiers=tuple(replace(one, most_per_minute=None) for one in STRICT.tiers))


def test_the_size_of_an_episode_is_judged_by_the_owners_count_of_it() -> None:
    counted = one_release(FIFTEENTH, 500 * GB, OFFSET)
    told = consequences(counted, WIDE, STRICT, NOW)
    assert (told.releases_judged, told.newly_rejected) == (1, 1)
    (example,) = told.examples
    assert example.why[0].startswith("size: ")


def test_an_upgrade_is_found_at_the_place_where_the_owner_counts_the_episode() -> None:
    copy = CopyRow(
        work="work_1",
        season=2,
        episode=3,
        title="Lantern.Street.S02E03.720p.HDTV.x264-OLD",
        found=None,
        info_hash="aa" * 20,
        in_flight=False,
    )
    plain = one_release(FIFTEENTH, 2 * GB, IdentityPolicy())
    counted = replace(plain, copies={"work_1": [copy]}, identity=OFFSET)
    after = replace(STRICT, least_seeders=2)
    assert consequences(counted, STRICT, after, NOW).upgrades == [FIFTEENTH]
    elsewhere = replace(plain, copies={"work_1": [replace(copy, episode=4)]}, identity=OFFSET)
    assert consequences(elsewhere, STRICT, after, NOW).upgrades == []


def test_what_was_not_known_to_be_the_work_is_not_judged() -> None:
    there = one_release(FIFTEENTH, 2 * GB, OFFSET)
    unsure = replace(there.rows[0], judgement={"verdict": "unsure", "grade": "D"})
    told = consequences(replace(there, rows=[unsure]), WIDE, STRICT, NOW)
    assert told.releases_judged == 0


def test_why_nothing_is_compared_is_told() -> None:
    told = without_comparison(ValueError("tiers: none"))
    assert told.not_compared == "the published version can't be judged: tiers: none"


@pytest.mark.anyio
async def test_an_identity_policy_that_cannot_be_used_is_as_if_there_were_none(
    scene: Scene,
) -> None:
    at = scene.ledger.now()
    await scene.write(lambda tx: policies.publish(tx, "identity", {"accepted": ["Z"]}, at))
    there = await scene.read(known)
    assert there.identity == IdentityPolicy()
    await scene.publish(OFFSET)
    assert (await scene.read(known)).identity == OFFSET


def shelf(works: int, *, episodes: int = 12) -> Known:
    """So many series on the shelf, all of whose copies are of an odd quality."""
    ids = [f"work_{number}" for number in range(works)]
    copies = {
        id_: [
            CopyRow(
                work=id_,
                season=1,
                episode=episode,
                title=f"Some.Show.S01E{episode:02}.The.Long.Title.Of.It.720p.HDTV.x264-{id_}",
                found=None,
                info_hash=f"{id_}{episode}",
                in_flight=False,
            )
            for episode in range(1, episodes + 1)
        ]
        for id_ in ids
    }
    held = {id_: replace(SERIES, title=id_) for id_ in ids}
    blocks = dict.fromkeys(ids, ())
    return Known(works=held, copies=copies, blocks=blocks, shelf=ids, shelved=works)


def slow(formats: int) -> AcquisitionPolicy:
    """A policy whose formats take the processor a while for every name."""
    return replace(
        STRICT,
        formats=tuple(
            CustomFormat(
                f"format {number}",
                (Condition(ConditionKind.PATTERN, f"[a-z0-9.]*[a-z.]*[0-9.]*Q{number}!"),),
                1,
            )
            for number in range(formats)
        ),
        upgrade_until="Blu-ray 1080p",
    )


def test_one_time_bounds_the_whole_trial_and_what_it_does_not_suffice_for_is_counted() -> None:
    there = shelf(40)
    row = one_release(FIFTEENTH, 2 * GB, IdentityPolicy()).rows[0]
    rows = [replace(row, id=f"rel_{n}", title=f"{n}.{FIFTEENTH}", work="work_1") for n in range(50)]
    there = replace(there, rows=rows, releases=60)
    began = time.thread_time()
    told = consequences(there, slow(300), slow(301), NOW, seconds=0.5)
    assert time.thread_time() - began < 1.5
    assert told.releases_judged + told.releases_left_out == 60
    assert told.releases_left_out > 10
    assert told.works_left_out > 0
    assert told.newly_accepted == told.newly_rejected == 0


def test_without_any_time_nothing_is_told_but_what_is_left_out() -> None:
    there = replace(one_release(FIFTEENTH, 500 * GB, OFFSET), shelf=["work_1"], shelved=3)
    told = consequences(there, WIDE, STRICT, NOW, seconds=0)
    assert (told.releases_judged, told.newly_rejected) == (0, 0)
    assert (told.releases_left_out, told.works_left_out) == (1, 3)


def test_of_what_differs_the_first_are_named_and_the_rest_is_counted() -> None:
    there = shelf(2, episodes=MOST_SHOWN)
    row = one_release(FIFTEENTH, 500 * GB, OFFSET).rows[0]
    rows = [replace(row, id=f"rel_{n}", work="work_1") for n in range(MOST_SHOWN + 3)]
    there = replace(there, rows=rows, releases=len(rows) + 5, shelved=4, identity=OFFSET)
    words = ("bluray", "1080p", "grp", "e15", "2019")
    after = replace(STRICT, refused_tokens=words, upgrade_until="Blu-ray 1080p")
    told = consequences(there, replace(WIDE, upgrade_until=None), after, NOW)
    assert (len(told.examples), told.examples_left_out) == (MOST_SHOWN, 3)
    assert len(told.examples[0].why) == REASONS_SHOWN
    assert told.examples[0].why_left_out >= 2
    assert (told.releases_left_out, told.works_left_out) == (5, 2)
    assert (told.upgradable_before, told.upgradable_after) == (0, 2 * MOST_SHOWN)
    assert (len(told.newly_upgradable), told.newly_upgradable_left_out) == (MOST_SHOWN, MOST_SHOWN)
