"""A call whose commit is cut: what it answers, and what the ledger says of it later."""

from collections.abc import AsyncGenerator
from functools import partial

import pytest
from structlog.testing import capture_logs

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, Refused, Succeeded, Unknown
from ledger.database import Database
from ledger.engine import Engine
from ledger.ledger import Ledger
from tests.capabilities.kernel.lamps import ANN, Lamps, call, house
from tests.ledger.cut_commits import cut_commits_with, cut_no_more
from tests.postgres import Server


@pytest.fixture
async def shared(postgres: Server) -> AsyncGenerator[Ledger]:
    place = postgres.create()
    database = Database(place)
    yield Ledger(database, Engine(database))
    database.close()
    postgres.drop(place)


@pytest.mark.anyio
async def test_a_change_of_our_own_tables_whose_commit_was_cut_is_unknown_and_can_be_checked(
    shared: Ledger,
) -> None:
    lamps = Lamps()
    here = house(shared, lamps.ours(), lamps=lamps)
    await shared.write(partial(cut_commits_with, table="invocation"))
    same = call("lamp.plan", {"name": "hall"})
    with capture_logs():
        outcome = await here.registry.invoke(same)
    assert isinstance(outcome, Unknown)
    assert "not known whether it was recorded" in outcome.sentence
    assert outcome.invocation is not None
    assert await here.registry.check(outcome.invocation, ANN) == Refused(
        Code.NOT_FOUND, "There is no such act."
    )
    await shared.write(partial(cut_no_more, table="invocation"))
    assert isinstance(await here.registry.invoke(same), Succeeded)


@pytest.mark.anyio
async def test_an_act_whose_claim_was_cut_is_not_begun(shared: Ledger) -> None:
    here = house(shared)
    await shared.write(partial(cut_commits_with, table="invocation"))
    with capture_logs():
        outcome = await here.light()
    assert isinstance(outcome, Failed)
    assert outcome.sentence == "The connection to the database was cut before the act was begun."
    assert outcome.retry
    assert here.lamps.entered == 0
