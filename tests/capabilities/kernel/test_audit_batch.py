import time

import anyio
import pytest

from capabilities.kernel import audit_batch
from capabilities.kernel.audit_batch import AuditBatch
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import audit
from tests.capabilities.kernel.lamps import Lamps, actor, call, ledger_file
from tests.ledger.neighbours import WRITE_LOCK, held_by_another_process

SPEC = Lamps().reading()


def note(batch: AuditBatch, outcome: str = "succeeded") -> None:
    batch.note(call("lamp.count", {}, actor=actor(), run="run_1"), SPEC, outcome)


async def outcomes(ledger: Ledger) -> list[str | None]:
    return [row.outcome for row in (await ledger.read(audit.newest))[::-1]]


async def written(ledger: Ledger, number: int) -> None:
    """Wait until so many rows are there."""
    async with ledger.feed.listening() as bell:
        while len(await outcomes(ledger)) < number:
            await bell.receive()


@pytest.mark.anyio
async def test_flushing_writes_every_row_once_in_order(ledger: Ledger) -> None:
    batch = AuditBatch(ledger)
    note(batch, "succeeded")
    note(batch, "not_found")
    assert await outcomes(ledger) == []
    await batch.flush()
    await batch.flush()
    rows = (await ledger.read(audit.newest))[::-1]
    assert [(r.actor, r.action, r.capability, r.outcome, r.run) for r in rows] == [
        ("key:phone", "invoked", "lamp.count", "succeeded", "run_1"),
        ("key:phone", "invoked", "lamp.count", "not_found", "run_1"),
    ]


@pytest.mark.anyio
async def test_what_gathers_is_written_within_a_second_again_and_again(ledger: Ledger) -> None:
    batch = AuditBatch(ledger)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as keeping:
            keeping.start_soon(batch.keep)
            for number in (1, 2):
                began = time.monotonic()
                note(batch)
                await written(ledger, number)
                assert time.monotonic() - began < audit_batch.AT_MOST_S + 0.8
            keeping.cancel_scope.cancel()


@pytest.mark.anyio
async def test_flushing_by_hand_in_between_does_not_stop_the_keeping(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_batch, "AT_MOST_S", 0.01)
    batch = AuditBatch(ledger)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as keeping:
            keeping.start_soon(batch.keep)
            await anyio.wait_all_tasks_blocked()
            await batch.flush()
            note(batch)
            await written(ledger, 1)
            keeping.cancel_scope.cancel()


@pytest.mark.anyio
async def test_rows_that_could_not_be_written_are_kept_for_the_next_time(
    ledger: Ledger,
) -> None:
    batch = AuditBatch(ledger)
    note(batch, "first")
    with held_by_another_process(ledger_file(ledger), *WRITE_LOCK):
        with pytest.raises(LedgerUnavailableError):
            await batch.flush()
        note(batch, "second")
    await batch.flush()
    assert await outcomes(ledger) == ["first", "second"]


@pytest.mark.anyio
async def test_the_keeping_outlives_a_ledger_that_was_away(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_batch, "AT_MOST_S", 0.01)
    batch, away = AuditBatch(ledger), anyio.Event()
    flush = batch.flush

    async def watched() -> None:
        try:
            await flush()
        except LedgerUnavailableError:
            away.set()
            raise

    monkeypatch.setattr(batch, "flush", watched)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as keeping:
            with held_by_another_process(ledger_file(ledger), *WRITE_LOCK):
                keeping.start_soon(batch.keep)
                note(batch)
                await away.wait()
            await written(ledger, 1)
            keeping.cancel_scope.cancel()
    assert await outcomes(ledger) == ["succeeded"]


@pytest.mark.anyio
async def test_what_gathers_is_bounded(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_batch, "MOST_KEPT", 3)
    batch = AuditBatch(ledger)
    for n in range(5):
        note(batch, str(n))
    await batch.flush()
    assert await outcomes(ledger) == ["0", "1", "2", None]


@pytest.mark.anyio
async def test_what_was_too_much_is_counted_and_said_once(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_batch, "MOST_KEPT", 3)
    batch = AuditBatch(ledger)
    for n in range(4):
        note(batch, str(n))
    with held_by_another_process(ledger_file(ledger), *WRITE_LOCK):
        with pytest.raises(LedgerUnavailableError):
            await batch.flush()
        note(batch, "4")
    await batch.flush()
    note(batch, "5")
    await batch.flush()
    assert await outcomes(ledger) == ["0", "1", "2", None, "5"]
    (said,) = [row for row in await ledger.read(audit.newest) if row.action == "rows lost"]
    assert (said.actor, said.summary["lost"]) == ("system:audit", 2)
