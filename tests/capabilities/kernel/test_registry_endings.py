"""How a call ends that was refused, failed, timed out, was cancelled, or broke."""

from collections.abc import Awaitable, Callable

import anyio
import pytest
from structlog.testing import capture_logs

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from capabilities.kernel.outcomes import AnyOutcome, Failed, HaltError, Refused, Succeeded, Unknown
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import audit, claims, events
from ledger.stores.claims import ClaimState, Settlement
from tests.capabilities.kernel.held_writer import writer_held
from tests.capabilities.kernel.lamps import Given, Lamps, call, house, row

Act = Callable[[Given, Context], Awaitable[AnyOutcome]]


def raising(fault: Exception, lamps: Lamps | None = None) -> Act:
    """A handler that stages its row, may light the lamp, and raises."""

    async def act(given: Given, context: Context) -> AnyOutcome:
        if lamps is not None:
            lamps.lit.append(given.name)
        context.stage(lambda tx: events.append(tx, "staged", {}, context.ledger.now()))
        raise fault

    return act


FAULTS: dict[str, tuple[WorldFaultError, Code, bool]] = {
    "away": (UnreachableError("the fuse box", "No route."), Code.UNAVAILABLE, True),
    "busy": (ThrottledError("the fuse box", "Slow down."), Code.RATE_LIMITED, True),
    "no": (DeclinedError("the fuse box", "No."), Code.PRECONDITION, False),
}


@pytest.mark.anyio
@pytest.mark.parametrize(("fault", "code", "retry"), FAULTS.values(), ids=FAULTS)
async def test_a_no_without_effect_is_a_failure(
    ledger: Ledger, fault: WorldFaultError, code: Code, *, retry: bool
) -> None:
    here = house(ledger)
    here.lamps.act = raising(fault)
    outcome = await here.light()
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retry) == (code, retry)
    claim = await here.claim()
    assert (claim.state, claim.code, claim.free_again) == (ClaimState.FAILED, code, retry)
    assert claim.settled_at == ledger.now()


@pytest.mark.anyio
async def test_an_answer_that_was_lost_leaves_it_unknown(ledger: Ledger) -> None:
    here = house(ledger)
    here.lamps.act = raising(LostAnswerError("the fuse box", "It hung up."))
    outcome = await here.light()
    assert isinstance(outcome, Unknown)
    claim = await here.claim()
    assert (claim.state, claim.code, claim.settled_at) == (
        ClaimState.UNKNOWN,
        Code.UNKNOWN_OUTCOME,
        None,
    )


@pytest.mark.anyio
async def test_a_lost_answer_to_a_read_is_a_failure_to_be_repeated(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.reading(), lamps=lamps)
    lamps.act = raising(LostAnswerError("the fuse box", "It hung up."))
    outcome = await here.registry.invoke(call("lamp.count", {"name": "hall"}))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retry) == (Code.UNAVAILABLE, True)


@pytest.mark.anyio
@pytest.mark.parametrize("raised", [True, False])
async def test_a_refusal_behind_the_claim_is_a_failure(ledger: Ledger, *, raised: bool) -> None:
    here = house(ledger)
    refused = Refused(Code.CONFLICT, "Somebody was faster.")

    async def refuse(_given: Given, _context: Context) -> AnyOutcome:
        if raised:
            raise HaltError(refused)
        return refused

    here.lamps.act = refuse
    outcome = await here.light()
    assert outcome == Failed(Code.CONFLICT, "Somebody was faster.", "Nothing was changed.")
    assert (await here.claim()).state == ClaimState.FAILED


@pytest.mark.anyio
async def test_what_a_handler_says_itself_is_written_with_what_it_staged(ledger: Ledger) -> None:
    here = house(ledger)
    here.lamps.act = raising(HaltError(Failed(Code.PRECONDITION, "It went out again.")))
    await here.light()
    assert await here.told() == ["staged"]


BROKEN: dict[str, Exception] = {
    "a fault of ours": LookupError("surprise"),
    "a timeout of its own": TimeoutError(),
    "a ledger that went away": LedgerUnavailableError("locked"),
}


@pytest.mark.anyio
@pytest.mark.parametrize("fault", BROKEN.values(), ids=BROKEN)
async def test_a_handler_that_breaks_leaves_it_unknown_and_nothing_staged(
    ledger: Ledger, fault: Exception
) -> None:
    here = house(ledger)
    here.lamps.act = raising(fault, here.lamps)
    with capture_logs() as logs:
        outcome = await here.light(request="one")
    assert isinstance(outcome, Unknown)
    assert len(logs) == (not isinstance(fault, LedgerUnavailableError))
    assert await here.told() == []
    assert (await here.claim()).state == ClaimState.UNKNOWN
    here.lamps.act = None
    assert isinstance(await here.light(request="one"), Succeeded)
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["reading", "ours"])
async def test_a_handler_without_effect_that_breaks_is_an_internal_failure(
    ledger: Ledger, kind: str
) -> None:
    lamps = Lamps()
    spec = lamps.reading() if kind == "reading" else lamps.ours()
    here = house(ledger, spec, lamps=lamps)
    lamps.act = raising(LookupError("surprise"))
    with capture_logs() as logs:
        outcome = await here.registry.invoke(call(spec.id, {"name": "hall"}))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retry) == (Code.INTERNAL, False)
    assert "surprise" not in outcome.sentence + outcome.hint
    assert [(line["event"], line["capability"]) for line in logs] == [("a handler failed", spec.id)]
    assert (await here.claims(), await here.told()) == ([], [])


@pytest.mark.anyio
async def test_a_read_whose_ledger_went_away_is_unavailable(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.reading(), lamps=lamps)
    lamps.act = raising(LedgerUnavailableError("the ledger is closed"))
    outcome = await here.registry.invoke(call("lamp.count", {"name": "hall"}))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.sentence) == (Code.UNAVAILABLE, "The ledger is closed.")


@pytest.mark.anyio
async def test_an_effect_that_takes_too_long_is_unknown_and_looked_for(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.spec(timeout=0.05), lamps=lamps)

    async def hang(given: Given, context: Context) -> AnyOutcome:
        await lamps.really(given, context)
        await anyio.sleep_forever()
        raise AssertionError

    lamps.act = hang
    outcome = await here.light(request="one")
    assert isinstance(outcome, Unknown)
    assert await here.told() == []
    assert isinstance(await here.light(request="one"), Succeeded)
    assert (lamps.lit, lamps.probed, await here.told()) == (["hall"], 1, ["lit"])


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["reading", "ours"])
async def test_without_an_effect_taking_too_long_is_a_timeout(ledger: Ledger, kind: str) -> None:
    lamps = Lamps()
    made = lamps.reading if kind == "reading" else lamps.ours
    spec = made(timeout=0.05, title="Count lamps")
    here = house(ledger, spec, lamps=lamps)

    async def hang(given: Given, context: Context) -> AnyOutcome:
        lamps.stage(given.name, context)
        await anyio.sleep_forever()
        raise AssertionError

    lamps.act = hang
    outcome = await here.registry.invoke(call(spec.id, {"name": "hall"}))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retry) == (Code.TIMEOUT, True)
    assert outcome.sentence.startswith("Count lamps took longer than")
    assert (await here.claims(), await here.told()) == ([], [])


@pytest.mark.anyio
async def test_the_effect_of_a_cancelled_caller_is_unknown_and_then_looked_for(
    ledger: Ledger,
) -> None:
    here = house(ledger)

    async def hang(given: Given, context: Context) -> AnyOutcome:
        await here.lamps.really(given, context)
        await anyio.sleep_forever()
        raise AssertionError

    async def ask() -> None:
        await here.light(request="one")

    here.lamps.act = hang
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ask)
            await here.lamps.busy.wait()
            callers.cancel_scope.cancel()
    assert (await here.claim()).state == ClaimState.UNKNOWN
    assert await here.told() == []
    assert isinstance(await here.light(request="one"), Succeeded)
    assert (here.lamps.lit, here.lamps.probed, await here.told()) == (["hall"], 1, ["lit"])


@pytest.mark.anyio
async def test_a_caller_that_is_cancelled_while_its_claim_is_written_leaves_none_running(
    ledger: Ledger,
) -> None:
    here = house(ledger)

    async def ask() -> None:
        await here.light(request="one")

    async with writer_held(ledger) as let_go, anyio.create_task_group() as callers:
        callers.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        callers.cancel_scope.cancel()
        let_go()
    claim = await here.claim()
    assert (claim.state, claim.free_again, here.lamps.entered) == (ClaimState.FAILED, True, 0)
    assert isinstance(await here.light(request="one"), Succeeded)
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_a_late_settlement_changes_nothing_and_leaves_its_evidence(ledger: Ledger) -> None:
    here = house(ledger)

    async def overtaken(given: Given, context: Context) -> AnyOutcome:
        done = await here.lamps.really(given, context)
        assert await ledger.write(lambda tx: claims.disown(tx, "another worker"))
        return done

    here.lamps.act = overtaken
    outcome = await here.light(request="one")
    assert isinstance(outcome, Unknown)
    claim = await here.claim()
    assert (claim.state, claim.result, await here.told()) == (ClaimState.UNKNOWN, None, [])
    (late,) = await ledger.read(audit.newest)
    assert (late.action, late.outcome, late.invocation) == (
        "late settlement",
        "succeeded",
        claim.id,
    )
    assert await here.light(request="one") == await here.light(request="one")
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_a_late_settlement_answers_what_was_recorded_meanwhile(ledger: Ledger) -> None:
    here = house(ledger)

    async def overtaken(given: Given, context: Context) -> AnyOutcome:
        done = await here.lamps.really(given, context)
        assert context.invocation is not None
        claim = await ledger.read(lambda conn: row(conn, str(context.invocation)))
        by_hand = Settlement(ClaimState.FAILED, code=Code.CANCELLED, sentence="By hand.")
        await ledger.write(
            lambda tx: claims.settle(tx, claim.id, claim.token, by_hand, ledger.now())
        )
        return done

    here.lamps.act = overtaken
    outcome = await here.light()
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.sentence) == (Code.CANCELLED, "By hand.")
    assert (await here.claim()).sentence == "By hand."
