from datetime import timedelta

import pytest

from capabilities.decision.accepting import accept
from capabilities.kernel.owing import VERIFY
from capabilities.rules.verification import (
    Check,
    CheckKind,
    Verification,
    verification_from,
    verification_json,
)
from ledger.stores import decisions, shelf
from ledger.stores.decisions import Decision, DecisionKind, NewDecision
from ledger.stores.shelf import RecordRow
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def record(scene: Scene) -> RecordRow:
    at = scene.ledger.now()
    check = Check(CheckKind.SEEN, "a.mkv", server="den")
    known = Verification(files=1, at=at, until=at + timedelta(hours=1), checks=(check,))
    row = RecordRow(
        id="rec_1",
        plan="plan_1",
        download="dl_1",
        work="work_1",
        run=None,
        state="verifying",
        journal=[],
        placements=[],
        verification=verification_json(known),
        last_error=None,
        created_at=at,
        ended_at=None,
    )
    await scene.write(lambda tx: shelf.open_record(tx, row))
    return row


async def raised(scene: Scene, cause: str) -> Decision:
    new = NewDecision(DecisionKind.OTHER, cause, "Look at this")
    id_ = await scene.write(lambda tx: decisions.raise_(tx, new, scene.ledger.now()))
    made = await scene.read(lambda conn: decisions.by_id(conn, id_))
    assert made is not None
    return made


async def accepted_by(scene: Scene) -> str | None:
    row = await scene.read(lambda conn: shelf.record_by_id(conn, "rec_1"))
    assert row is not None
    assert row.verification is not None
    return verification_from(row.verification).accepted


async def test_an_import_counts_as_verified_and_its_task_goes_on(scene: Scene) -> None:
    await record(scene)
    about = await raised(scene, "verify:rec_1")
    await scene.write(lambda tx: accept(tx, scene.ledger, about, by="owner:ada"))
    assert await accepted_by(scene) == "owner:ada"
    assert set(await scene.tasks("rec_1")) == {VERIFY}


@pytest.mark.parametrize("cause", ["import:rec_1", "verify:rec_2"])
async def test_accepting_anything_else_changes_no_record(scene: Scene, cause: str) -> None:
    await record(scene)
    about = await raised(scene, cause)
    await scene.write(lambda tx: accept(tx, scene.ledger, about, by="owner:ada"))
    assert await accepted_by(scene) is None
    assert await scene.tasks("rec_1") == {}
