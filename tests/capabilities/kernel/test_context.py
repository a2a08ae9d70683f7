import pytest
import svcs

from capabilities.kernel.actors import agent
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Refused
from ledger.ledger import Ledger
from tests.capabilities.kernel.lamps import ANN, Lamps


def context(ledger: Ledger, **changed: object) -> Context:
    parts = svcs.Container(svcs.Registry())
    given = {"actor": ANN, "ledger": ledger, "parts": parts, "request": "one", "call_id": "a"}
    return Context(**{**given, **changed})  # pyright: ignore[reportArgumentType]  # its fields


def halted(error: HaltError) -> Failed:
    assert isinstance(error.outcome, Failed)
    return error.outcome


@pytest.mark.anyio
async def test_a_reference_leads_back_to_what_it_was_issued_for(ledger: Ledger) -> None:
    here = context(ledger)
    assert await here.refer("rel", "rel_a", "rel_b", "rel_a") == ["rel:1", "rel:2", "rel:1"]
    assert await here.resolve("rel", "rel:2") == "rel_b"
    assert await here.resolve("rel", "  rel:1 ") == "rel_a"
    assert await here.refer("rel") == []


@pytest.mark.anyio
async def test_a_full_id_stands_for_itself(ledger: Ledger) -> None:
    assert await context(ledger).resolve("rel", " rel_a ") == "rel_a"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "given",
    ["rel:3", "dl:1", "rel:", "rel:x", "rel:-1", "rel:²", "rel:" + "9" * 30, "rel:" + "9" * 5000],
    ids=lambda given: given[:8],
)
async def test_an_unknown_reference_is_answered_with_the_newest_of_its_kind(
    ledger: Ledger, given: str
) -> None:
    here = context(ledger)
    await here.refer("rel", "rel_a", "rel_b")
    await here.refer("dl", "dl_a")
    if given == "rel:":
        assert await here.resolve("rel", given) == "rel:"
        return
    with pytest.raises(HaltError) as error:
        await here.resolve("rel", given)
    outcome = halted(error.value)
    assert (outcome.code, outcome.hint) == (Code.NOT_FOUND, "Known here: rel:2, rel:1.")
    assert len(outcome.sentence) < 150


@pytest.mark.anyio
async def test_where_nothing_was_issued_that_is_what_is_told(ledger: Ledger) -> None:
    with pytest.raises(HaltError) as error:
        await context(ledger).resolve("rel", "rel:1")
    hint = halted(error.value).hint
    assert hint == "Nothing of that kind yet. release__search lists them."


@pytest.mark.anyio
async def test_references_are_good_within_a_run_or_for_a_principal(ledger: Ledger) -> None:
    of_run = context(ledger, run="run_1")
    other = context(ledger, run="run_2")
    of_client = context(ledger, actor=agent("run_3", "key:phone", frozenset()))
    assert (of_run.scope, of_client.scope) == ("run:run_1", "key:phone")
    await of_run.refer("rel", "rel_a")
    for elsewhere in (other, of_client, context(ledger)):
        with pytest.raises(HaltError):
            await elsewhere.resolve("rel", "rel:1")


@pytest.mark.anyio
async def test_a_part_of_the_house_is_given_or_named_as_missing(ledger: Ledger) -> None:
    registry = svcs.Registry()
    lamps = Lamps()
    registry.register_value(Lamps, lamps)  # pyright: ignore[reportUnknownMemberType]  # svcs leaves it open
    parts = svcs.Container(registry)
    assert context(ledger, parts=parts).part(Lamps, "fuse box") is lamps
    with pytest.raises(HaltError) as error:
        context(ledger).part(Lamps, "fuse box")
    outcome = error.value.outcome
    assert isinstance(outcome, Refused)
    assert outcome.code == Code.PRECONDITION
    assert "fuse box" in outcome.sentence
    assert "fuse box" in str(outcome.needs["settings"])
    with pytest.raises(HaltError) as error:
        context(ledger).part(Lamps, "fuse box", "Buy one.")
    assert isinstance(error.value.outcome, Refused)
    assert error.value.outcome.needs == {"settings": "Buy one."}
