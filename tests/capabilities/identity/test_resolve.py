from pathlib import Path
from typing import Any

import pytest
from anyio import to_thread

from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from ledger.stores import releases
from ledger.stores.decisions import DecisionKind
from ledger.stores.releases import ReleaseRow
from tests.scene import KEY, OWNER, Scene, run_of
from tests.stage_set import catalogue_of
from world.indexer_feed import Offer
from world.seeder import make_torrent
from world.stage import GB, RELEASE, SINTEL

OLD = "Sintel.1994.1080p.BluRay.x264-OTHER"


async def stored(scene: Scene, reference: str) -> ReleaseRow:
    id_ = await scene.id_of(reference)
    row = await scene.read(lambda conn: releases.by_id(conn, id_))
    assert row is not None
    return row


def pack_torrent(folder: Path) -> bytes:
    """Two films of nearly one size."""
    folder.mkdir()
    for name, size in (("Sintel.2010.mkv", 900_000), ("Big.Buck.Bunny.2008.mkv", 800_000)):
        (folder / name).write_bytes(b"0" * size)
    return make_torrent(folder)


async def resolved(scene: Scene, title: str, **more: Any) -> tuple[dict[str, Any], ReleaseRow]:
    """Find this one offer by its words, and have it identified."""
    offer = Offer(title, GB, torrent=scene.stage.seed.torrent_bytes, **more)
    async with scene.offering(offer) as offered:
        found = await offered.candidates(query=title.replace(".", " ").split("-")[0])
        release = found[title]["release"]
        answer = await offered.answer("identity.resolve", release=release)
        return answer, await stored(scene, release)


@pytest.mark.anyio
async def test_an_id_and_a_fitting_name_are_grade_a_and_accepted(scene: Scene) -> None:
    answer, row = await resolved(scene, RELEASE, tmdb_id=SINTEL)
    assert (answer["grade"], answer["accepted"], answer["year"]) == ("A", True, 2010)
    assert row.work == await scene.work_id()
    assert row.identity is not None
    assert (row.identity["grade"], row.identity["work"]) == ("A", row.work)
    assert "an external id names tmdb:film:45745" in row.identity["evidence"]
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_a_unique_title_with_its_year_is_grade_b_and_accepted(scene: Scene) -> None:
    answer, row = await resolved(scene, RELEASE)
    assert (answer["grade"], answer["accepted"]) == ("B", True)
    assert (answer["title"], answer["year"]) == ("Sintel", 2010)
    assert row.work == await scene.work_id()


@pytest.mark.anyio
async def test_a_title_without_a_year_is_grade_c_and_the_owner_is_asked_once(
    scene: Scene,
) -> None:
    title = "Tears.of.Steel.1080p.BluRay.x264-OPEN"
    for _ in range(2):
        answer, row = await resolved(scene, title)
        assert (answer["grade"], answer["accepted"]) == ("C", False)
        assert row.identity is None
        (asked,) = await scene.decisions()
        assert asked.kind is DecisionKind.IDENTITY_AMBIGUOUS
        assert asked.subject == row.id
        assert await scene.id_of(answer["decision"]) == asked.id
        assert [each["id"] for each in asked.options] == ["tmdb:film:133701", "dismiss"]
        assert asked.options[0]["title"] == "Tears of Steel (2012)"


@pytest.mark.anyio
async def test_two_films_of_one_title_without_a_year_are_grade_d(scene: Scene) -> None:
    answer, _ = await resolved(scene, "Sintel.1080p.BluRay.x264-OPEN")
    assert (answer["grade"], answer["accepted"]) == ("D", False)
    assert {each["id"] for each in answer["candidates"]} == {
        "tmdb:film:45745",
        "tmdb:film:900002",
    }
    assert "work" not in answer


@pytest.mark.anyio
async def test_a_name_that_means_nothing_is_grade_e(scene: Scene) -> None:
    answer, _ = await resolved(scene, "Nothing.At.All.2010.1080p-X")
    assert (answer["grade"], answer["candidates"]) == ("E", [])


@pytest.mark.anyio
async def test_an_id_that_contradicts_title_and_year_settles_nothing(scene: Scene) -> None:
    answer, row = await resolved(scene, OLD, tmdb_id=SINTEL)
    assert (answer["grade"], answer["accepted"]) == ("D", False)
    claimed = next(each for each in answer["candidates"] if each["id"] == "tmdb:film:45745")
    assert any("title and year are those of" in said for said in claimed["speaks_against"])
    assert row.identity is None


@pytest.mark.anyio
async def test_an_id_of_one_work_and_title_and_year_of_another_settle_nothing(
    scene: Scene,
) -> None:
    title = "Big.Buck.Bunny.2008.1080p.BluRay.x264"
    answer, _ = await resolved(scene, title, tmdb_id=SINTEL)
    assert (answer["grade"], answer["accepted"]) == ("D", False)
    against = {each["id"]: each["speaks_against"] for each in answer["candidates"]}
    assert against["tmdb:film:10378"] == ['the claimed tmdb id is "45745", the work\'s is 10378']
    assert "title and year are those of" in against["tmdb:film:45745"][0]


@pytest.mark.anyio
async def test_an_id_finds_a_work_that_no_title_finds(scene: Scene) -> None:
    title = "Unheard.Of.Name.1080p.BluRay.x264"
    answer, row = await resolved(scene, title, tmdb_id=SINTEL)
    assert (answer["grade"], answer["accepted"]) == ("C", False)
    (sintel,) = answer["candidates"]
    assert sintel["id"] == "tmdb:film:45745"
    assert sintel["speaks_against"] == ['"Unheard Of Name" is no known title of "Sintel"']
    assert row.identity is None


@pytest.mark.anyio
async def test_candidates_stand_side_by_side_in_the_question_and_one_is_chosen(
    scene: Scene,
) -> None:
    answer, row = await resolved(scene, "Sintel.1080p.BluRay.x264-OPEN")
    (asked,) = await scene.decisions()
    table = {each["id"]: each for each in asked.options}
    assert set(table) == {"tmdb:film:45745", "tmdb:film:900002", "dismiss"}
    modern = table["tmdb:film:45745"]
    assert (modern["title"], modern["year"], modern["kind"]) == ("Sintel (2010)", 2010, "film")
    assert modern["overview"]
    assert modern["speaks_for"] == ['"Sintel" is a title of "Sintel"']
    chosen = await scene.answer(
        "decision.resolve", OWNER, decision=asked.id, option="tmdb:film:900002"
    )
    assert chosen["state"] == "resolved"
    assert await scene.decisions() == []
    after = await stored(scene, answer["release"])
    assert after.identity is not None
    assert (
        after.work
        == after.identity["work"]
        == await scene.id_of(await scene.work(id_="tmdb:film:900002"))
    )
    assert after.identity["by"] == "owner:ada"
    assert row.identity is None


@pytest.mark.anyio
async def test_the_owners_word_wins_over_what_the_name_says_and_is_named(scene: Scene) -> None:
    words = words_from(["block: Fansub", "force: Unheard Of => tmdb:film:45745"])
    await scene.publish(IdentityPolicy(words=words))
    answer, row = await resolved(scene, "Fansub.Unheard.Of.1994.1080p-X")
    assert (answer["grade"], answer["accepted"], answer["title"]) == ("A", True, "Sintel")
    assert [each["did"] for each in answer["words"]] == [
        'took out "Fansub"',
        "says that it is tmdb:film:45745",
    ]
    (only,) = answer["candidates"]
    assert only["speaks_for"] == ['by your recognition word "force: Unheard Of => tmdb:film:45745"']
    assert row.identity is not None
    assert row.identity["words"][0]["word"] == "block: Fansub"


@pytest.mark.anyio
async def test_a_word_for_a_work_that_nobody_knows_is_asked_about(scene: Scene) -> None:
    words = words_from(["force: Unheard Of => tmdb:film:404404"])
    await scene.publish(IdentityPolicy(words=words))
    answer, row = await resolved(scene, "Unheard.Of.1994.1080p-X")
    assert (answer["grade"], answer["accepted"], answer["candidates"]) == ("E", False, [])
    (asked,) = await scene.decisions()
    assert "names a work that is not known" in asked.evidence["contradictions"][0]
    assert row.identity is None


@pytest.mark.anyio
async def test_an_absolute_number_is_placed_by_the_sources_order_and_both_are_shown(
    scene: Scene,
) -> None:
    answer, _ = await resolved(scene, "[G] Lantern Street - 05 (2019) [1080p]")
    assert (answer["grade"], answer["accepted"]) == ("B", True)
    assert answer["numbers"] == {
        "episodes": ["S02E02 (5)"],
        "by": 'by the order "Absolute Order" of the metadata source',
    }


@pytest.mark.anyio
async def test_a_season_that_the_work_lacks_is_placed_by_the_owners_offset(scene: Scene) -> None:
    title = "Lantern.Street.2019.S03E01.1080p.WEB-DL-G"
    answer, _ = await resolved(scene, title)
    assert (answer["grade"], answer["accepted"]) == ("C", False)
    (asked,) = await scene.decisions()
    assert asked.evidence["numbers"]["open"] == "season 3 is named, and no such season is known"
    assert "an offset of yours" in asked.evidence["numbers"]["settles"]
    line = offset_from("tmdb:series:900001 S03E01 = S02E03")
    await scene.publish(IdentityPolicy(offsets=(line,)))
    again, row = await resolved(scene, title)
    assert (again["grade"], again["accepted"]) == ("B", True)
    assert again["numbers"]["episodes"] == ["S02E03 (S03E01 in the name)"]
    assert again["numbers"]["by"] == "by your offset"
    assert row.identity is not None
    assert row.identity["numbers"]["episodes"] == again["numbers"]["episodes"]


@pytest.mark.anyio
async def test_a_pack_of_several_works_is_taken_for_none_of_them(scene: Scene) -> None:
    title = "Sintel.2010.1080p.BluRay.x264-PACK"
    torrent = await to_thread.run_sync(pack_torrent, scene.base.folder / "pack")
    async with scene.offering(Offer(title, GB, torrent=torrent, tmdb_id=SINTEL)) as offered:
        release = (await offered.candidates(query="Sintel"))[title]["release"]
        await offered.answer("release.inspect", release=release)
        answer = await offered.answer("identity.resolve", release=release)
    assert (answer["grade"], answer["accepted"]) == ("A", False)
    assert {each["path"]: (each["work"], each["grade"]) for each in answer["files"]} == {
        "pack/Sintel.2010.mkv": ("tmdb:film:45745", "B"),
        "pack/Big.Buck.Bunny.2008.mkv": ("tmdb:film:10378", "B"),
    }
    (asked,) = await scene.decisions()
    assert asked.evidence["holds"] == "several works: tmdb:film:10378, tmdb:film:45745"


@pytest.mark.anyio
async def test_a_policy_may_want_to_be_asked_about_everything(scene: Scene) -> None:
    await scene.publish(IdentityPolicy(accepted=()))
    answer, row = await resolved(scene, RELEASE, tmdb_id=SINTEL)
    assert (answer["grade"], answer["accepted"]) == ("A", False)
    assert answer["work"]
    assert row.identity is None
    assert len(await scene.decisions()) == 1


@pytest.mark.anyio
async def test_what_is_identified_later_closes_the_question(scene: Scene) -> None:
    await scene.publish(IdentityPolicy(accepted=()))
    release = await scene.release()
    await scene.answer("identity.resolve", release=release)
    assert len(await scene.decisions()) == 1
    await scene.publish(IdentityPolicy(accepted=(Grade.A,)))
    assert (await scene.answer("identity.resolve", release=release))["accepted"]
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_the_same_request_has_the_same_answer_and_a_new_one_looks_again(
    scene: Scene,
) -> None:
    run = run_of("run_1")
    release = await scene.release(by=run)
    first = await scene.answer("identity.resolve", run, release=release)
    await scene.publish(IdentityPolicy(accepted=()))
    again = await scene.call("identity.resolve", run, release=release)
    assert isinstance(again, Succeeded)
    assert again.replayed
    assert again.data.model_dump(exclude_none=True) == first
    assert len(await scene.claims("identity.resolve")) == 1
    later = await scene.registry.invoke(
        Call("identity.resolve", {"release": release}, run, "c2", "message 2", run="run_1")
    )
    assert isinstance(later, Succeeded)
    assert not later.replayed
    assert len(await scene.claims("identity.resolve")) == 2


@pytest.mark.anyio
async def test_the_authority_is_the_published_policy(scene: Scene) -> None:
    await scene.identified()
    (claim,) = await scene.claims("identity.resolve")
    assert claim.authority == "policy:identity:v1"


@pytest.mark.anyio
async def test_without_a_published_policy_nothing_is_accepted(scene: Scene) -> None:
    release = await scene.release()
    await scene.write(
        lambda tx: tx.conn.exec_driver_sql("DELETE FROM policy WHERE kind = 'identity'")
    )
    await scene.refusal(Code.DENIED, "identity.resolve", release=release)
    assert (await stored(scene, release)).identity is None


@pytest.mark.anyio
async def test_a_metadata_source_that_does_not_answer_concludes_nothing(scene: Scene) -> None:
    release = await scene.release()
    away = scene.having(catalogue_of(scene.base, credential="wrong.token.here"))
    await away.failure(Code.PRECONDITION, "identity.resolve", release=release)
    assert await scene.claims("identity.resolve") == []
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_the_question_shows_a_hostile_name_without_its_signs(scene: Scene) -> None:
    title = "Unheard.Of\u202e.1080p.BluRay\u2066-EVIL"
    offer = Offer(title, GB, torrent=scene.stage.seed.torrent_bytes)
    async with scene.offering(offer) as offered:
        (shown,) = (await offered.candidates(query="Unheard Of")).values()
        await offered.answer("identity.resolve", release=shown["release"])
    (asked,) = await scene.decisions()
    assert asked.title == "Which work is Unheard.Of .1080p.BluRay -EVIL?"
    assert not {"\u202e", "\u2066"} & set(f"{asked.evidence}")


@pytest.mark.anyio
async def test_a_release_that_does_not_exist_is_not_found(scene: Scene) -> None:
    await scene.release()
    failed = await scene.failure(Code.NOT_FOUND, "identity.resolve", release="rel:99")
    assert failed.hint.startswith("Known here: rel:7, rel:6")
    await scene.failure(Code.NOT_FOUND, "identity.resolve", KEY, release="rel_of_nobody")
