from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from capabilities.kernel.arguments import MOST_FAULTS_SHOWN, typed
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from tests.capabilities.kernel.lamps import Lamps


class Part(BaseModel, extra="forbid"):
    """A part."""

    name: Annotated[str, Field(description="Its name.", max_length=9)]


class Wanted(BaseModel, extra="forbid"):
    """All sorts of arguments."""

    query: Annotated[str | None, Field(description="Words.", max_length=9)] = None
    season: Annotated[int | None, Field(description="A season.", ge=0)] = None
    exact: Annotated[bool, Field(description="Exactly.")] = False
    names: Annotated[list[str] | None, Field(description="Names.", max_length=3)] = None
    part: Annotated[Part | None, Field(description="A part.")] = None


class Nothing(BaseModel, extra="forbid"):
    """No arguments."""


SPEC = Lamps().spec(given=Wanted, example={"query": "Sintel"})


def refused(arguments: dict[str, object], spec: Any = SPEC) -> str:
    with pytest.raises(HaltError) as halted:
        typed(spec, arguments)
    outcome = halted.value.outcome
    assert isinstance(outcome, Refused)
    assert outcome.code == Code.INVALID_INPUT
    assert outcome.needs == {"example": dict(spec.example)}
    return outcome.sentence


LOSSLESS: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "null is absent": ({"query": None, "exact": None}, {}),
    "digits are a number": ({"season": "3"}, {"season": 3}),
    "digits with space around them": ({"season": " 3 "}, {"season": 3}),
    "a word is a truth": ({"exact": "true"}, {"exact": True}),
    "a JSON array": ({"names": '["a", "b"]'}, {"names": ["a", "b"]}),
    "a JSON object": ({"part": '{"name": "a"}'}, {"part": Part(name="a")}),
    "JSON null": ({"part": "null"}, {}),
    "JSON where a text is wanted stays text": ({"query": "[1]"}, {"query": "[1]"}),
}


@pytest.mark.parametrize(("sent", "meant"), LOSSLESS.values(), ids=LOSSLESS)
def test_what_is_meant_is_understood(sent: dict[str, object], meant: dict[str, object]) -> None:
    assert typed(SPEC, sent) == Wanted(**meant)  # pyright: ignore[reportArgumentType]  # its fields


def test_an_unknown_argument_is_answered_with_the_nearest_one() -> None:
    assert refused({"seson": 1}) == "There is no argument 'seson'; did you mean 'season'?"


def test_an_argument_that_is_near_to_none_is_answered_with_all_of_them() -> None:
    sentence = refused({"zzz": 1})
    assert sentence == "There is no argument 'zzz'; it takes query, season, exact, names, part."
    nothing = Lamps().spec(given=Nothing, example={})
    assert refused({"zzz": 1}, nothing).endswith("it takes no arguments at all.")


def test_an_unknown_argument_that_is_null_is_absent_too() -> None:
    assert typed(SPEC, {"seson": None}) == Wanted()


def test_an_unknown_argument_is_not_echoed_at_length() -> None:
    assert len(refused({"z" * 100_000: 1})) < 300


def test_every_fault_is_told_with_its_field() -> None:
    sentence = refused({"query": "much too long", "season": -1, "part": {}})
    assert "query: String should have at most 9" in sentence
    assert "season: Input should be greater than or equal to 0" in sentence
    assert "part.name: Field required" in sentence


def test_only_the_first_of_many_faults_are_told() -> None:
    sentence = refused({"names": list(range(20)), "season": -1, "part": {"a": 1, "b": 2, "c": 3}})
    assert sentence.count("; ") <= MOST_FAULTS_SHOWN - 1


def test_a_fault_of_the_whole_input_is_told_as_such() -> None:
    class Both(BaseModel, extra="forbid"):
        """Needs one."""

        one: Annotated[int | None, Field(description="One.")] = None

        def model_post_init(self, context: Any, /) -> None:
            del context
            if self.one is None:
                raise ValueError("give one")

    assert "input: " in refused({}, Lamps().spec(given=Both, example={"one": 1}))


UNREADABLE: dict[str, dict[str, object]] = {
    "broken JSON": {"names": '["a"'},
    "no JSON": {"part": "a"},
    "JSON of another shape": {"names": '{"a": 1}'},
    "JSON without end": {"names": "[" * 100_000},
    "a number without end in JSON": {"names": "9" * 10_000},
    "a number without end": {"season": "9" * 10_000},
    "a negative number": {"season": "-3"},
    "no number": {"season": "three"},
    "a list for a text": {"query": ["a"]},
}


@pytest.mark.parametrize("sent", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_refused_by_its_field(sent: dict[str, object]) -> None:
    assert refused(sent).startswith(next(iter(sent)))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*Wanted.model_fields, "other"]), anything))
def test_whatever_is_sent_is_understood_or_refused(sent: dict[str, object]) -> None:
    try:
        assert isinstance(typed(SPEC, sent), Wanted)
    except HaltError as halted:
        assert isinstance(halted.outcome, Refused)  # noqa: PT017  # either is right


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "a\x00b"},
        {"query": "\ud800"},
        {"names": ["x", "\x00"]},
        {"part": '{"name": "\\u0000"}'},
    ],
    ids=repr,
)
def test_text_that_no_database_holds_is_refused_by_the_name_of_its_argument(
    arguments: dict[str, object],
) -> None:
    (name,) = arguments
    assert refused(arguments).startswith(f"{name}: it holds a NUL")
