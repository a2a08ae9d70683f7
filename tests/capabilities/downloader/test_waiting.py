from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from capabilities.downloader.waiting import waiting_for
from capabilities.rules.verification import Check, CheckKind, Verification, verification_json
from ledger.clock import new_id
from ledger.stores import shelf
from ledger.stores.shelf import RecordRow
from tests.scene import Scene

AT = datetime(2026, 5, 1, tzinfo=UTC)
DEN = Check(CheckKind.SEEN, "a.mkv", server="den")
ATTIC = replace(DEN, server="attic")


def record(*checks: Check, state: str = "verifying", accepted: str | None = None) -> RecordRow:
    known = Verification(1, AT, AT + timedelta(hours=1), checks, accepted=accepted)
    body, id_ = verification_json(known), new_id("rec")
    return RecordRow(id_, id_, "dl_1", "work_1", None, state, [], [], body, None, AT, None)


@pytest.mark.anyio
async def test_each_import_counts_once_for_each_server_that_it_waits_for(scene: Scene) -> None:
    records = [
        record(DEN, replace(DEN, file="b.mkv"), ATTIC),
        record(DEN, replace(ATTIC, passed=True)),
        record(Check(CheckKind.LENGTH, "a.mkv")),
        record(DEN, accepted="owner:ada"),
        record(DEN, state="succeeded"),
    ]
    for one in records:
        await scene.write(lambda tx, one=one: shelf.open_record(tx, one))

    assert await scene.read(waiting_for) == {"den": 2, "attic": 1}
