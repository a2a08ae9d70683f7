from typing import Any

import pytest
from pydantic import BaseModel

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.spec import (
    SPEC_ATTRIBUTE,
    Audience,
    Dedupe,
    Effect,
    Hints,
    Kind,
    Replay,
    Spec,
    Toolset,
    capability,
    refuse_wrong,
)
from tests.capabilities.kernel.lamps import Answer, Given, Lamps

HOME = "capabilities.lamp.light"


def test_a_spec_that_has_all_its_kind_demands_is_accepted() -> None:
    refuse_wrong(Lamps().spec(), HOME)
    refuse_wrong(Lamps().reading(), "capabilities.lamp.count")
    refuse_wrong(Lamps().ours(), "capabilities.lamp.plan")


def test_a_verb_that_is_a_keyword_lives_in_a_module_with_an_underscore() -> None:
    refuse_wrong(Lamps().spec(id="lamp.import"), "capabilities.lamp.import_")


@pytest.mark.parametrize(
    "module", ["capabilities.lamp.other", "capabilities.other.light", "lamp.light", "tests.x"]
)
def test_a_capability_lives_where_its_id_says(module: str) -> None:
    with pytest.raises(ValueError, match=r"'lamp.light' must live in capabilities.lamp.light"):
        refuse_wrong(Lamps().spec(), module)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no target": ({"target": None}, "executes and names no target"),
    "no target in our own tables": (
        {"target": None, "effect": Effect.OURS},
        "executes and names no target",
    ),
    "no probe": ({"probe": None}, "has no probe with its adoption"),
    "no adoption": ({"adopt": None}, "has no probe with its adoption"),
    "an execute without effect": ({"effect": Effect.NONE}, "has no effect, so it is a read"),
    "a preview without effect": (
        {"effect": Effect.NONE, "kind": Kind.PREVIEW},
        "has no effect, so it is a read",
    ),
    "a preview that touches the world": ({"kind": Kind.PREVIEW}, "so it is an execute"),
    "a control that touches the world": ({"kind": Kind.CONTROL}, "so it is an execute"),
    "a read that touches the world": ({"kind": Kind.READ}, "so it is an execute"),
    "a read that changes our tables": (
        {"kind": Kind.READ, "effect": Effect.OURS},
        "is a read and has an effect",
    ),
}


@pytest.mark.parametrize(("changed", "fault"), WRONG.values(), ids=WRONG)
def test_a_spec_that_lacks_what_its_kind_demands_is_refused(
    changed: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        refuse_wrong(Lamps().spec(**changed), HOME)


def test_the_runs_group_is_published_bare_and_the_others_with_their_domain() -> None:
    assert Lamps().spec().tool == "lamp__light"
    assert Lamps().spec(id="runs.start_run").tool == "start_run"


def test_a_description_says_when_and_when_not() -> None:
    assert Lamps().spec().description == "Light a lamp. Not for candles."


def declared(**changed: Any) -> Any:
    given: dict[str, Any] = {
        "version": 1,
        "title": "Count",
        "kind": Kind.READ,
        "effect": Effect.NONE,
        "replay": Replay.SAFE,
        "dedupe": Dedupe.REQUEST,
        "scope": "read",
        "toolset": Toolset.LIBRARY,
        "use_when": "Count lamps.",
        "not_when": "Not candles.",
        "hints": Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
        "timeout": 5,
        "example": {"name": "hall"},
    }
    return capability("lamp.count", **{**given, **changed})


def test_declaring_a_function_takes_its_schema_from_its_annotations() -> None:
    async def count(given: Given, context: Context) -> Outcome[Answer]:
        del context
        return Succeeded(Answer(name=given.name, times=1), "One.")

    count.__module__ = "capabilities.lamp.count"
    assert declared()(count) is count
    spec = getattr(count, SPEC_ATTRIBUTE)
    assert isinstance(spec, Spec)
    assert (spec.given, spec.answer, spec.handler) == (Given, Answer, count)
    assert (spec.audience, spec.plan, spec.target, spec.probe) == (
        Audience.PUBLIC,
        None,
        None,
        None,
    )


def test_a_declaration_in_the_wrong_module_is_refused() -> None:
    async def count(given: Given, context: Context) -> Outcome[Answer]:
        raise NotImplementedError

    with pytest.raises(ValueError, match="must live in"):
        declared()(count)


def test_a_function_whose_annotations_are_no_schema_is_refused() -> None:
    async def count(wanted: Given, context: Context) -> Outcome[Answer]:
        raise NotImplementedError

    async def tell(given: Given, context: Context) -> BaseModel:
        raise NotImplementedError

    for handler in (count, tell):
        handler.__module__ = "capabilities.lamp.count"
        with pytest.raises(ValueError, match="must take ``given`` and answer"):
            declared()(handler)
