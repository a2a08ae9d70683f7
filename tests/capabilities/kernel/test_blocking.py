"""The owner blocks releases and lets them be taken again; nobody else does."""

import pytest

from capabilities.kernel.actors import Actor, agent, client, system
from capabilities.kernel.blocking import BlockFacts, block, unblock
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Outcome, Refused, Succeeded
from capabilities.kernel.switches import turn
from ledger.ledger import Ledger
from ledger.stores import audit, blocklist, works
from ledger.stores.blocklist import NewBlock
from ledger.stores.switches import SwitchName
from tests.capabilities.kernel.lamps import ANN

FAKE = NewBlock("a fake", info_hash="ab" * 20)
ALL = frozenset({"read", "plan", "run", "run.ask", "download.submit", "policy.apply"})
OTHERS = (client("laptop", ALL), agent("run_1", "owner:ann", ALL), system("import"))


def facts(outcome: Outcome[BlockFacts]) -> BlockFacts:
    assert isinstance(outcome, Succeeded), outcome
    return outcome.data


def code_of(outcome: Outcome[BlockFacts]) -> Code:
    assert isinstance(outcome, Refused), outcome
    return outcome.code


async def audited(ledger: Ledger) -> list[tuple[str, str, object]]:
    rows = await ledger.read(audit.newest)
    return [(row.actor, row.action, row.summary["reason"]) for row in rows]


@pytest.mark.anyio
async def test_a_release_is_blocked_and_let_go_and_both_are_audited(ledger: Ledger) -> None:
    made = facts(await block(ledger, FAKE, by=ANN))
    assert (made.info_hash, made.work, made.by, made.reason) == (
        "ab" * 20,
        None,
        str(ANN),
        "a fake",
    )
    held = await ledger.read(lambda conn: blocklist.standing(conn, None))
    assert [each.id for each in held] == [made.id]
    gone = facts(await unblock(ledger, made.id, by=ANN, reason="it was none"))
    assert (gone.id, gone.removed_by) == (made.id, str(ANN))
    assert await ledger.read(lambda conn: blocklist.standing(conn, None)) == []
    assert set(await audited(ledger)) == {
        (str(ANN), "release blocked", "a fake"),
        (str(ANN), "release unblocked", "it was none"),
    }


@pytest.mark.anyio
@pytest.mark.parametrize("who", OTHERS, ids=str)
async def test_nobody_but_the_owner_changes_the_list(ledger: Ledger, who: Actor) -> None:
    assert code_of(await block(ledger, FAKE, by=who)) is Code.DENIED
    made = facts(await block(ledger, FAKE, by=ANN))
    assert code_of(await unblock(ledger, made.id, by=who, reason="x")) is Code.DENIED
    assert len(await ledger.read(lambda conn: blocklist.standing(conn, None))) == 1


@pytest.mark.anyio
async def test_a_work_is_named_by_key_or_id_and_kept_by_id(ledger: Ledger) -> None:
    work = await ledger.write(
        lambda tx: works.keep(
            tx, key="tmdb:film:1", kind="film", title="T", year=2020, body={}, at=ledger.now()
        )
    )
    for named in ("tmdb:film:1", work):
        made = facts(await block(ledger, NewBlock("dead", work=named, title=named), by=ANN))
        assert made.work == work
    unknown = NewBlock("dead", work="tmdb:film:9", title="T")
    assert code_of(await block(ledger, unknown, by=ANN)) is Code.NOT_FOUND


@pytest.mark.anyio
@pytest.mark.parametrize("new", [NewBlock("dead", indexer="one"), NewBlock(" ", title="T")])
async def test_what_names_nothing_or_has_no_reason_is_refused(
    ledger: Ledger, new: NewBlock
) -> None:
    assert code_of(await block(ledger, new, by=ANN)) is Code.INVALID_INPUT


@pytest.mark.anyio
async def test_what_is_not_on_the_list_is_not_taken_off(ledger: Ledger) -> None:
    assert code_of(await unblock(ledger, "block_none", by=ANN, reason="x")) is Code.NOT_FOUND
    made = facts(await block(ledger, FAKE, by=ANN))
    assert code_of(await unblock(ledger, made.id, by=ANN, reason=" ")) is Code.INVALID_INPUT
    await unblock(ledger, made.id, by=ANN, reason="x")
    assert code_of(await unblock(ledger, made.id, by=ANN, reason="x")) is Code.CONFLICT


@pytest.mark.anyio
async def test_in_a_read_only_house_the_list_stays(ledger: Ledger) -> None:
    made = facts(await block(ledger, FAKE, by=ANN))
    await turn(ledger, SwitchName.READ_ONLY, on=True, by=ANN, reason="moving")
    assert code_of(await block(ledger, NewBlock("x", title="T"), by=ANN)) is Code.DENIED
    assert code_of(await unblock(ledger, made.id, by=ANN, reason="x")) is Code.DENIED
