from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.kernel.actors import Actor, agent
from capabilities.kernel.bound_runs import trigger_of
from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import decide
from capabilities.kernel.outcomes import Refused, Succeeded
from ledger.clock import new_id
from ledger.stores import approvals, plans, runs
from ledger.stores.decisions import Decision, DecisionKind, DecisionState
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import PlanState
from ledger.stores.tasks import TaskRow
from server.background.results import Done, Setback, Wait
from tests.capabilities.organize.downloads import (
    SERIES,
    import_owed,
    imported,
    laid_out,
    series_arrived,
)
from tests.scene import OWNER, SCOPES, Scene

ASSIGN = "organize.assign_identity"
TITLE = "Lantern.Street.S01E01.720p.WEB-DL.x264-OPEN"
UNREADABLE = f"{TITLE}/Some.Other.Show.S05E09.mkv"


async def unidentified(scene: Scene, tmp_path: Path) -> tuple[DownloadRow, TaskRow, Decision]:
    """A download whose one video says nothing of itself, after its import gave up."""
    source = laid_out(tmp_path, TITLE, {"Some.Other.Show.S05E09.mkv": 300_000})
    row = await series_arrived(scene, source, episode=1)
    task = await import_owed(scene, row)
    assert isinstance(await imported(scene, task), Setback)
    (asked,) = await scene.decisions()
    return await scene.download(row.id), task, asked


async def said(scene: Scene, asked: Decision, by: Actor = OWNER) -> dict[str, object]:
    """The word that makes sense of it: the second episode of Lantern Street."""
    return {
        "decision": asked.id,
        "work": await scene.work(by, id_=f"tmdb:series:{SERIES}"),
        "files": [{"path": UNREADABLE, "season": 1, "episodes": [2]}],
    }


async def organise_plans(scene: Scene, row: DownloadRow) -> list[PlanState]:
    found = await scene.read(lambda conn: plans.children(conn, row.plan))
    return [plan.state for plan in sorted(found, key=lambda plan: plan.created_at)]


async def approve(scene: Scene) -> None:
    """The owner says yes to what waits."""
    (asked,) = await scene.decisions()
    approval = await scene.read(lambda conn: approvals.by_id(conn, str(asked.approval)))
    assert approval is not None
    outcome = await decide(
        scene.ledger,
        approval.id,
        approved=True,
        by=OWNER,
        payload_hash=approval.payload_hash,
        revision=approval.revision,
    )
    assert isinstance(outcome, Succeeded)


async def run_of(scene: Scene, trigger: str) -> Actor:
    """The agent in a run that was begun for that."""
    scopes = SCOPES | {ASSIGN}
    at = scene.ledger.now()
    id_ = new_id("run")
    await scene.write(
        lambda tx: runs.add(
            tx,
            id_=id_,
            goal="identify",
            actor="system:identify",
            principal="owner:ada",
            trigger=trigger,
            options={},
            at=at,
        )
    )
    return agent(id_, "owner:ada", scopes)


@pytest.mark.anyio
@pytest.mark.parametrize("explicit", [pytest.param(2, id="ORG-23 the file says S05E09")])
async def test_what_nobody_could_identify_is_placed_by_the_owners_word(
    scene: Scene, tmp_path: Path, explicit: int
) -> None:
    row, task, asked = await unidentified(scene, tmp_path)
    assert asked.kind is DecisionKind.IMPORT_UNIDENTIFIED
    assert list(asked.evidence["files"]) == [UNREADABLE]
    answer = await scene.answer(ASSIGN, OWNER, **await said(scene, asked))
    (file,) = answer["files"]
    assert (file["source"], answer["library"]) == (UNREADABLE, "Series")
    assert f"S01E{explicit:02}" in file["target"]
    assert await scene.decisions() == []
    assert (await scene.tasks(row.id))["import"].state == "queued"
    assert isinstance(await imported(scene, task), Done)
    assert (scene.folders.series / file["target"]).exists()
    assert [(slot.episode, slot.state) for slot in await scene.slots() if slot.asset] == [
        (2, "satisfied")
    ]
    (claim,) = await scene.claims(ASSIGN)
    assert (claim.actor, claim.authority) == ("owner:ada", "owner:ada")


@pytest.mark.anyio
async def test_the_word_lasts_when_the_plan_that_followed_from_it_is_overtaken(
    scene: Scene, tmp_path: Path
) -> None:
    row, task, asked = await unidentified(scene, tmp_path)
    await scene.answer(ASSIGN, OWNER, **await said(scene, asked))
    (scene.folders.downloads / UNREADABLE).touch()
    overtaken = await imported(scene, task)
    assert isinstance(overtaken, Setback)
    assert overtaken.retry
    assert await organise_plans(scene, row) == [PlanState.CONFLICT]
    again = (await scene.answer("organize.plan", download=row.id))["files"]
    assert "S01E02" in again[0]["target"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "library", [pytest.param("Series", id="ORG-13, ORG-24b a film that is an episode")]
)
async def test_an_explicit_identity_makes_a_new_plan_in_the_library_of_its_kind(
    scene: Scene, library: str
) -> None:
    row = await scene.arrived()
    old = (await scene.answer("organize.plan", OWNER, download=row.id))["plan"]
    await import_owed(scene, row)
    other = await scene.work(OWNER, id_=f"tmdb:series:{SERIES}")
    video = f"{row.name}/{row.name}.mkv"
    answer = await scene.answer(
        ASSIGN,
        OWNER,
        download=row.id,
        work=other,
        files=[{"path": video, "season": 1, "episodes": [1, 2]}],
    )
    assert answer["library"] == library
    (target,) = [file["target"] for file in answer["files"] if file["role"] == "video"]
    assert "S01E01-E02" in target
    assert await organise_plans(scene, row) == [PlanState.SUPERSEDED, PlanState.FROZEN]
    refused = await scene.call("organize.execute", OWNER, plan=old)
    assert isinstance(refused, Refused)
    assert scene.on_shelf() == []
    now = await scene.download(row.id)
    assert now.work == await scene.id_of(other, OWNER)


@pytest.mark.anyio
async def test_another_film_is_the_film_of_the_biggest_video(scene: Scene) -> None:
    row = await scene.arrived()
    await import_owed(scene, row)
    other = await scene.work(OWNER, id_="tmdb:film:10331")
    answer = await scene.answer(ASSIGN, OWNER, download=row.id, work=other)
    assert answer["library"] == "Films"
    assert all("Sintel (2010)" not in file["target"] for file in answer["files"])


@pytest.mark.anyio
@pytest.mark.parametrize("field", [pytest.param("taken_for", id="ORG-23b")])
async def test_a_suggestion_is_no_choice(scene: Scene, tmp_path: Path, field: str) -> None:
    row, _, asked = await unidentified(scene, tmp_path)
    assert asked.evidence[field] == row.work
    refused = await scene.refusal(Code.INVALID_INPUT, ASSIGN, OWNER, decision=asked.id)
    assert "work" in refused.sentence
    assert [one.id for one in await scene.decisions()] == [asked.id]


@pytest.mark.anyio
async def test_a_run_may_only_what_it_was_begun_for(scene: Scene, tmp_path: Path) -> None:
    row, task, asked = await unidentified(scene, tmp_path)
    for trigger in ("user", trigger_of("dec_of_another"), "identify:"):
        stranger = await run_of(scene, trigger)
        given = await said(scene, asked, stranger)
        await scene.refusal(Code.NEEDS_APPROVAL, ASSIGN, stranger, **given)
    bound = await run_of(scene, trigger_of(asked.id))
    by_download = {"download": row.id, "work": (await said(scene, asked, bound))["work"]}
    await scene.refusal(Code.NEEDS_APPROVAL, ASSIGN, bound, **by_download)
    await scene.answer(ASSIGN, bound, **await said(scene, asked, bound))
    claim = next(one for one in await scene.claims(ASSIGN) if one.state == "succeeded")
    assert claim.authority == f"decision:{asked.id}"
    assert isinstance(await imported(scene, task), Done)
    await scene.refusal(Code.CONFLICT, ASSIGN, bound, **await said(scene, asked, bound))


@pytest.mark.anyio
async def test_a_key_asks_the_owner(scene: Scene, tmp_path: Path) -> None:
    _, _, asked = await unidentified(scene, tmp_path)
    key = Actor("key", "laptop", "key:laptop", SCOPES | {ASSIGN})
    await scene.refusal(Code.NEEDS_APPROVAL, ASSIGN, key, **await said(scene, asked, key))


@pytest.mark.anyio
async def test_what_stayed_behind_is_asked_about_and_placed_by_a_word(
    scene: Scene, tmp_path: Path
) -> None:
    title = "Lantern.Street.S01.720p.WEB-DL.x264-OPEN"
    files = {"Lantern.Street.S01E01.720p.mkv": 300_000, "xq.mkv": 290_000}
    row = await series_arrived(scene, laid_out(tmp_path, title, files))
    task = await import_owed(scene, row)
    assert isinstance(await imported(scene, task), Done)
    (asked,) = await scene.decisions()
    assert (asked.kind, asked.dedupe_key) == (
        DecisionKind.IMPORT_UNIDENTIFIED,
        f"identify:{row.id}",
    )
    assert list(asked.evidence["files"]) == [f"{title}/xq.mkv"]
    given = await said(scene, asked)
    given["files"] = [{"path": f"{title}/xq.mkv", "season": 1, "episodes": [2]}]
    await scene.answer(ASSIGN, OWNER, **given)
    assert isinstance(await imported(scene, replace(task, attempts=1)), Done)
    assert len(list(scene.folders.series.rglob("*S01E0*.mkv"))) == 2
    assert await scene.decisions() == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"download": "dl:1"}, "either"),
        ({"files": [{"path": "no.mkv", "season": 1, "episodes": [1]}]}, "no file"),
        ({"files": [{"path": UNREADABLE, "season": 1}]}, "without its episodes"),
        (
            {"files": [{"path": UNREADABLE, "season": 1, "episodes": [one]} for one in (1, 2)]},
            "twice",
        ),
    ],
)
async def test_a_word_that_does_not_fit_the_files_changes_nothing(
    scene: Scene, tmp_path: Path, changed: dict[str, object], says: str
) -> None:
    _, _, asked = await unidentified(scene, tmp_path)
    given = {**await said(scene, asked), **changed}
    refused = await scene.refusal(Code.INVALID_INPUT, ASSIGN, OWNER, **given)
    assert says in refused.sentence
    assert [one.id for one in await scene.decisions()] == [asked.id]


@pytest.mark.anyio
async def test_what_is_not_complete_or_does_not_exist_is_refused(scene: Scene) -> None:
    row = await scene.submitted()
    work = await scene.work(OWNER)
    await scene.turn(row.id, "downloading", completed_at=None)
    refused = await scene.refusal(Code.PRECONDITION, ASSIGN, OWNER, download=row.id, work=work)
    assert "not complete" in refused.sentence
    for given in ({"download": "dl_of_nobody"}, {"decision": "dec_of_nobody"}):
        await scene.failure(Code.NOT_FOUND, ASSIGN, OWNER, work=work, **given)
    await scene.failure(Code.NOT_FOUND, ASSIGN, OWNER, work="work_of_nobody", download=row.id)


@pytest.mark.anyio
async def test_a_decision_about_something_else_is_refused(scene: Scene, tmp_path: Path) -> None:
    _, _, asked = await unidentified(scene, tmp_path)
    given = await said(scene, asked)
    await scene.answer("decision.resolve", OWNER, decision=asked.id, option="dismiss")
    refused = await scene.refusal(Code.CONFLICT, ASSIGN, OWNER, **given)
    assert "settled already" in refused.sentence
    row, *_ = await scene.downloads()
    assert row.work == asked.evidence["taken_for"]
    assert DecisionState.DISMISSED not in [one.state for one in await scene.decisions()]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "other", [pytest.param("tmdb:film:10331", id="ORG-13, arr-56 after placing")]
)
async def test_what_was_placed_wrongly_is_planned_anew_and_the_owner_is_asked(
    scene: Scene, other: str
) -> None:
    row = await scene.arrived()
    task = await import_owed(scene, row)
    assert isinstance(await imported(scene, task), Done)
    before = scene.on_shelf()
    work = await scene.work(OWNER, id_=other)
    await scene.answer(ASSIGN, OWNER, download=row.id, work=work)
    assert await organise_plans(scene, row) == [PlanState.DONE, PlanState.FROZEN]
    assert scene.on_shelf() == before
    assert isinstance(await imported(scene, replace(task, attempts=1)), Wait)
    assert (await scene.download(row.id)).state == "needs_owner"
    assert scene.on_shelf() == before
    await approve(scene)
    assert isinstance(await imported(scene, replace(task, attempts=2)), Done)
    now = [name for name in scene.on_shelf() if not name.startswith(".")]
    assert all("Sintel (2010)" not in name for name in now), now
    assert len(now) == len(before)
