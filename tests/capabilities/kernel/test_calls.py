from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.calls import fingerprint, key_of, request_of
from capabilities.kernel.spec import Dedupe
from capabilities.kernel.targets import Target
from ledger.stores.approvals import PlanPin
from tests.capabilities.kernel.lamps import Given, Lamps, actor, call

SPEC = Lamps().spec()
PRINT = "f" * 64
PIN = PlanPin("lighting", "plan_1", "a" * 64, 3)


def test_equal_inputs_have_equal_fingerprints_however_they_were_written() -> None:
    one = fingerprint(Given(name="hall", level=5))
    assert one == fingerprint(Given.model_validate({"level": "5", "name": "hall", "plan": None}))
    assert len(one) == 64
    assert one != fingerprint(Given(name="hall", level=6))
    assert one != fingerprint(Given(name="Hall", level=5))


def test_a_fingerprint_does_not_depend_on_the_order_of_fields_nor_on_the_alphabet() -> None:
    class Backwards(BaseModel):
        level: Annotated[int, Field()] = 5
        name: Annotated[str, Field()] = "客厅"

    assert fingerprint(Backwards()) == fingerprint(Given(name="客厅"))


def test_a_call_is_booked_under_its_request_or_its_clients_key() -> None:
    assert request_of(call("lamp.light", {}, request="one")) == "one"
    keyed = call("lamp.light", {}, request="one", client_key="mine", actor=actor())
    assert request_of(keyed) == "client:key:phone:mine"


def test_a_business_call_is_its_request_and_its_input() -> None:
    one = call("lamp.light", {}, request="one", call_id="a")
    assert key_of(SPEC, one, PRINT, None) == f"lamp.light:v1:one:{PRINT}"
    assert key_of(SPEC, one, PRINT, Target("lamp")) == f"lamp.light:v1:one:{PRINT}"


def test_a_plan_is_its_own_key_whatever_a_client_sends() -> None:
    pinned = Target("lamp", pin=PIN)
    for spec in (SPEC, Lamps().spec(dedupe=Dedupe.CALL)):
        for changed in ({"client_key": "mine"}, {"request": "one"}):
            assert key_of(spec, call("lamp.light", {}, **changed), PRINT, pinned) == "plan:plan_1:3"


def test_where_equal_arguments_are_not_the_same_intent_the_call_is_the_key() -> None:
    spec = Lamps().spec(dedupe=Dedupe.CALL)
    one = call("lamp.light", {}, request="one", call_id="a", actor=actor())
    assert key_of(spec, one, PRINT, None) == "call:key:phone:a"
    keyed = call("lamp.light", {}, client_key="mine", call_id="a", actor=actor())
    assert key_of(spec, keyed, PRINT, None) == f"lamp.light:v1:client:key:phone:mine:{PRINT}"
