import pytest

from capabilities.kernel.actors import Actor, agent, client, owner
from capabilities.kernel.bound_runs import bound_decision, trigger_of
from capabilities.kernel.targets import Target
from ledger.ledger import Ledger
from ledger.stores import decisions, runs
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.runs import RunState

RUN = agent("run_1", "owner:ada", frozenset())


async def asked(ledger: Ledger, cause: str = "import:dl_1") -> str:
    new = NewDecision(DecisionKind.IMPORT_UNIDENTIFIED, cause, "It fits nothing")
    return await ledger.write(lambda tx: decisions.raise_(tx, new, ledger.now()))


async def begun(ledger: Ledger, trigger: str) -> None:
    await ledger.write(
        lambda tx: runs.add(
            tx,
            id_="run_1",
            goal="identify",
            actor="system:identify",
            principal="owner:ada",
            trigger=trigger,
            options={},
            at=ledger.now(),
        )
    )


async def bound(ledger: Ledger, decision: object, actor: Actor = RUN) -> str | None:
    target = Target("import", facts={"decision": decision})
    return await ledger.read(lambda conn: bound_decision(conn, actor, target))


@pytest.mark.anyio
async def test_a_run_is_bound_to_the_decision_it_was_begun_for_and_to_no_other(
    ledger: Ledger,
) -> None:
    mine, other = await asked(ledger), await asked(ledger, "import:dl_2")
    await begun(ledger, trigger_of(mine))
    assert await bound(ledger, mine) == mine
    for decision in (other, None, "dec_of_nobody", 7):
        assert await bound(ledger, decision) is None
    for actor in (owner("ada"), client("run_1", frozenset()), agent("run_2", "", frozenset())):
        assert await bound(ledger, mine, actor) is None
    assert await ledger.read(lambda conn: bound_decision(conn, RUN, None)) is None


@pytest.mark.anyio
async def test_it_ends_with_the_decision(ledger: Ledger) -> None:
    mine = await asked(ledger)
    await begun(ledger, trigger_of(mine))
    await ledger.write(
        lambda tx: decisions.close(tx, mine, by="owner:ada", resolution="done", at=ledger.now())
    )
    assert await bound(ledger, mine) is None


@pytest.mark.anyio
async def test_it_ends_with_the_run(ledger: Ledger) -> None:
    mine = await asked(ledger)
    await begun(ledger, trigger_of(mine))
    await ledger.write(lambda tx: runs.change(tx, "run_1", state=RunState.SUCCEEDED))
    assert await bound(ledger, mine) is None
