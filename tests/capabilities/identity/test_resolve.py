from typing import Any

import pytest

from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded
from capabilities.rules.evidence import Grade
from capabilities.rules.policy import IdentityPolicy
from ledger.stores import releases
from ledger.stores.decisions import DecisionKind
from ledger.stores.releases import ReleaseRow
from tests.scene import KEY, Scene, run_of
from tests.stage_set import tmdb_of
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

OLD = "Sintel.1994.1080p.BluRay.x264-OTHER"


async def stored(scene: Scene, reference: str) -> ReleaseRow:
    id_ = await scene.id_of(reference)
    row = await scene.read(lambda conn: releases.by_id(conn, id_))
    assert row is not None
    return row


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
async def test_an_id_that_is_not_the_works_lowers_a_title_with_its_year(scene: Scene) -> None:
    title = "Big.Buck.Bunny.2008.1080p.BluRay.x264"
    answer, _ = await resolved(scene, title, tmdb_id=SINTEL)
    assert (answer["grade"], answer["accepted"]) == ("C", False)
    (bunny,) = answer["candidates"]
    assert bunny["speaks_against"] == ['the claimed tmdb id is "45745", the work\'s is 10378']


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
    away = scene.having(tmdb_of(scene.base, credential="wrong.token.here"))
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
