import anyio
import pytest
from structlog.testing import capture_logs

from capabilities.kernel.actors import Actor, agent, system
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import UnreachableError
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    HaltError,
    Refused,
    Succeeded,
    Unknown,
)
from capabilities.kernel.registry import Registry
from capabilities.kernel.spec import Audience
from ledger.ledger import Ledger
from ledger.stores import audit
from ledger.stores.claims import ClaimState
from ledger.writer import Transaction
from tests.capabilities.kernel.lamps import Answer, Given, Lamps, actor, call, house, row


def refusal(outcome: AnyOutcome) -> tuple[Code, str]:
    assert isinstance(outcome, Refused | Failed)
    return outcome.code, outcome.sentence


async def audited(ledger: Ledger) -> list[tuple[str, str, str | None, str | None]]:
    rows = await ledger.read(audit.newest)
    return [(row.actor, row.action, row.capability, row.outcome) for row in rows[::-1]]


@pytest.mark.anyio
async def test_names_that_are_unknown_private_or_not_permitted_answer_alike(
    ledger: Ledger,
) -> None:
    lamps = Lamps()
    here = house(
        ledger,
        lamps.reading(id="lamp.aaa", scope="read"),
        lamps.reading(id="lamp.bbb", scope="elsewhere"),
        lamps.reading(id="lamp.ccc", audience=Audience.PRIVATE),
        lamps.reading(id="lamp.ddd", audience=Audience.SESSION),
    )
    told: set[tuple[str, str, str]] = set()
    for name in ("bbb", "ccc", "ddd", "eee"):
        for spelled in (f"lamp.{name}", f"lamp__{name}"):
            outcome = await here.registry.invoke(
                call(spelled, {"name": "hall"}, actor=actor(scopes=frozenset({"read"})))
            )
            assert isinstance(outcome, Failed)
            assert outcome.code == Code.NOT_FOUND
            told.add((outcome.sentence.replace(name, "…"), outcome.hint, str(outcome.details)))
    assert len({(sentence.replace("lamp.", "lamp__"), *rest) for sentence, *rest in told}) == 1
    assert lamps.entered == 0
    assert await audited(ledger) == []


@pytest.mark.anyio
async def test_an_unknown_name_is_answered_with_the_nearest_ones(ledger: Ledger) -> None:
    here = house(ledger)
    near = await here.registry.invoke(call("lamp.lihgt", {}))
    far = await here.registry.invoke(call("x" * 500, {}))
    assert isinstance(near, Failed)
    assert isinstance(far, Failed)
    assert near.hint == "Did you mean lamp__light?"
    assert "List the tools" in far.hint
    assert len(far.sentence) < 200


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["lamp.light", "lamp__light"])
async def test_a_capability_answers_to_its_id_and_to_its_tool_name(
    ledger: Ledger, name: str
) -> None:
    outcome = await house(ledger).registry.invoke(call(name, {"name": "hall"}))
    assert outcome == Succeeded(Answer(name="hall", times=1), "hall is lit.")


@pytest.mark.anyio
async def test_two_capabilities_cannot_share_an_id_or_a_tool_name(ledger: Ledger) -> None:
    lamps = Lamps()
    with pytest.raises(ValueError, match="is declared twice"):
        house(ledger, lamps.spec(), lamps.spec())
    with pytest.raises(ValueError, match="'lamp__light' is declared twice"):
        house(ledger, lamps.spec(), lamps.spec(id="runs.lamp__light"))


@pytest.mark.anyio
async def test_everyone_is_shown_what_they_may_call_in_the_same_order(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(
        ledger,
        lamps.spec(),
        lamps.reading(),
        lamps.reading(id="lamp.secret", audience=Audience.PRIVATE),
        lamps.reading(id="lamp.inner", audience=Audience.SESSION),
    )

    def shown(registry: Registry, who: Actor) -> list[str]:
        return [spec.id for spec in registry.shown_to(who)]

    assert shown(here.registry, actor()) == ["lamp.light", "lamp.count"]
    assert shown(here.registry, actor(scopes=frozenset({"read"}))) == ["lamp.count"]
    assert shown(here.registry, actor(scopes=frozenset())) == []
    assert shown(here.registry, system("import")) == ["lamp.light", "lamp.count"]
    run = agent("run_1", "key:phone", frozenset({"read"}))
    assert shown(here.registry, run) == ["lamp.count", "lamp.inner"]


@pytest.mark.anyio
async def test_the_steps_of_a_call_stop_at_the_first_that_says_no(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.spec(), lamps=lamps)
    nobody = actor(scopes=frozenset())
    key = actor()

    def busy(_given: Given) -> None:
        raise HaltError(Refused(Code.PRECONDITION, "The fuse is out."))

    unpermitted = await here.light(actor=nobody, level=99)
    assert refusal(unpermitted)[0] == Code.NOT_FOUND
    invalid = await here.light(actor=key, level=99)
    assert refusal(invalid)[0] == Code.INVALID_INPUT
    assert lamps.checked == 0
    lamps.on_check = busy
    checked = await here.light(actor=key)
    assert refusal(checked) == (Code.PRECONDITION, "The fuse is out.")
    lamps.on_check = None
    denied = await here.light(actor=key)
    assert refusal(denied)[0] == Code.DENIED
    assert (lamps.checked, lamps.entered, await here.claims()) == (2, 0, [])
    await here.light()
    assert (lamps.checked, lamps.entered, lamps.lit) == (3, 1, ["hall"])


@pytest.mark.anyio
async def test_the_claim_is_committed_before_the_handler_is_entered(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    seen: list[tuple[str, ClaimState, str | None]] = []

    async def look(given: Given, context: Context) -> AnyOutcome:
        assert context.invocation is not None
        id_ = context.invocation
        claim = await ledger.read(lambda conn: row(conn, id_))
        seen.append((claim.id, claim.state, claim.natural_key))
        return await here.lamps.really(given, context)

    here.lamps.act = look
    await here.light()
    claim = await here.claim()
    assert seen == [(claim.id, ClaimState.RUNNING, "lamp:hall")]
    assert claim.target is not None
    assert (claim.target["kind"], claim.target["facts"]) == ("lamp", {"name": "hall"})
    assert (claim.authority, claim.worker, claim.attempt) == ("owner:ann", ledger.worker, 1)


@pytest.mark.anyio
async def test_settlement_audit_and_what_the_handler_staged_become_durable_together(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    outcome = await here.light()
    assert outcome == Succeeded(Answer(name="hall", times=1), "hall is lit.")
    claim = await here.claim()
    assert (claim.state, claim.result, claim.sentence, claim.settled_at) == (
        ClaimState.SUCCEEDED,
        {"name": "hall", "times": 1},
        "hall is lit.",
        ledger.now(),
    )
    assert await here.told() == ["lit"]
    assert await audited(ledger) == [("owner:ann", "settled", "lamp.light", "succeeded")]


@pytest.mark.anyio
async def test_if_a_staged_write_fails_nothing_is_settled_and_the_effect_is_unknown(
    ledger: Ledger,
) -> None:
    here = house(ledger)

    def fail(_tx: Transaction) -> None:
        raise LookupError("no such row")

    async def act(given: Given, context: Context) -> AnyOutcome:
        done = await here.lamps.really(given, context)
        context.stage(fail)
        return done

    here.lamps.act = act
    with capture_logs() as logs:
        outcome = await here.light()
    assert isinstance(outcome, Unknown)
    assert [line["event"] for line in logs] == ["a claim could not be settled"]
    assert (await here.told(), await audited(ledger)) == ([], [])
    assert (await here.claim()).state == ClaimState.RUNNING
    await here.registry.give_up_unsettled()
    assert (await here.claim()).state == ClaimState.UNKNOWN
    found = await here.light(request="again")
    assert isinstance(found, Succeeded)
    assert (here.lamps.lit, await here.told()) == (["hall"], ["lit"])


@pytest.mark.anyio
async def test_a_read_leaves_no_claim_and_is_audited_in_the_next_batch(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.reading(), lamps=lamps)
    outcome = await here.registry.invoke(call("lamp.count", {"name": "hall"}, actor=actor()))
    assert isinstance(outcome, Succeeded)
    assert await here.claims() == []
    await here.registry.audit.flush()
    assert await audited(ledger) == [("key:phone", "invoked", "lamp.count", "succeeded")]


@pytest.mark.anyio
async def test_what_changes_only_our_tables_is_claimed_and_settled_at_once(
    ledger: Ledger,
) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.ours(), lamps=lamps)
    again = call("lamp.plan", {"name": "hall"}, actor=actor())

    async def look(given: Given, context: Context) -> AnyOutcome:
        assert await here.claims() == []
        return await lamps.really(given, context)

    lamps.act = look
    first = await here.registry.invoke(again)
    assert first == Succeeded(Answer(name="hall", times=1), "hall is lit.")
    assert (await here.claim()).state == ClaimState.SUCCEEDED
    second = await here.registry.invoke(again)
    assert isinstance(second, Succeeded)
    assert second.replayed
    assert (lamps.entered, await here.told()) == (1, ["lit"])
    assert await audited(ledger) == [("key:phone", "settled", "lamp.plan", "succeeded")]


@pytest.mark.anyio
async def test_a_repeat_and_a_conflict_are_audited_too(ledger: Ledger) -> None:
    here = house(ledger)
    for name in ("hall", "hall", "kitchen"):
        await here.light(name, client_key="mine")
    await here.registry.audit.flush()
    assert await audited(ledger) == [
        ("owner:ann", "settled", "lamp.light", "succeeded"),
        ("owner:ann", "invoked", "lamp.light", "replayed"),
        ("owner:ann", "invoked", "lamp.light", "conflict"),
    ]


@pytest.mark.anyio
async def test_what_fails_in_our_tables_leaves_nothing_but_its_audit_row(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.ours(), lamps=lamps)

    async def fail(given: Given, context: Context) -> AnyOutcome:
        lamps.stage(given.name, context)
        return Failed(Code.PRECONDITION, "The fuse is out.")

    lamps.act = fail
    outcome = await here.registry.invoke(call("lamp.plan", {"name": "hall"}, actor=actor()))
    assert refusal(outcome) == (Code.PRECONDITION, "The fuse is out.")
    assert (await here.claims(), await here.told()) == ([], [])
    await here.registry.audit.flush()
    assert await audited(ledger) == [("key:phone", "invoked", "lamp.plan", "precondition")]


@pytest.mark.anyio
async def test_of_two_that_change_our_tables_at_once_one_does(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.ours(), lamps=lamps)
    both = anyio.Event()
    outcomes: list[AnyOutcome] = []

    async def meet(given: Given, context: Context) -> AnyOutcome:
        if lamps.entered == 2:
            both.set()
        await both.wait()
        return await lamps.really(given, context)

    async def ask() -> None:
        outcomes.append(await here.registry.invoke(same))

    same = call("lamp.plan", {"name": "hall"}, actor=actor())
    lamps.act = meet
    with anyio.fail_after(5):
        async with anyio.create_task_group() as askers:
            askers.start_soon(ask)
            askers.start_soon(ask)
    assert sorted(isinstance(o, Succeeded) and o.replayed for o in outcomes) == [False, True]
    assert (len(await here.claims()), await here.told()) == (1, ["lit"])


@pytest.mark.anyio
async def test_of_two_with_one_key_and_other_inputs_at_once_one_changes_our_tables(
    ledger: Ledger,
) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.ours(), lamps=lamps)
    both = anyio.Event()
    outcomes: list[AnyOutcome] = []

    async def meet(given: Given, context: Context) -> AnyOutcome:
        if lamps.entered == 2:
            both.set()
        await both.wait()
        return await lamps.really(given, context)

    async def ask(name: str) -> None:
        one = call("lamp.plan", {"name": name}, actor=actor(), client_key="mine")
        outcomes.append(await here.registry.invoke(one))

    lamps.act = meet
    with anyio.fail_after(5):
        async with anyio.create_task_group() as askers:
            askers.start_soon(ask, "hall")
            askers.start_soon(ask, "kitchen")
    conflicts = [refusal(o) for o in outcomes if not isinstance(o, Succeeded)]
    assert [code for code, _ in conflicts] == [Code.CONFLICT]
    assert (len(await here.claims()), await here.told()) == (1, ["lit"])


@pytest.mark.anyio
async def test_a_fault_before_anything_was_claimed_is_answered_and_changes_nothing(
    ledger: Ledger,
) -> None:
    here = house(ledger)

    def unreachable(_given: Given) -> None:
        raise UnreachableError("the fuse box", "It does not answer.")

    def broken(_given: Given) -> None:
        raise LookupError

    here.lamps.on_check = unreachable
    away = await here.light()
    assert isinstance(away, Failed)
    assert (away.code, away.retry) == (Code.UNAVAILABLE, True)
    here.lamps.on_check = broken
    with capture_logs() as logs:
        assert refusal(await here.light())[0] == Code.INTERNAL
    assert [line["event"] for line in logs] == ["a call failed"]
    assert (await here.claims(), here.lamps.entered) == ([], 0)
