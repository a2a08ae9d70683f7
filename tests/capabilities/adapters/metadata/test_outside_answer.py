from datetime import date

import pytest
from pydantic import ValidationError

from capabilities.adapters.metadata.outside_answer import (
    BareList,
    Count,
    Day,
    NothingKnown,
    Number,
    OtherNumber,
    OutsideAnswer,
    Text,
)


class Entry(OutsideAnswer):
    id: Number
    day: Day = None
    words: Text = None
    minutes: Count = None
    elsewhere: OtherNumber = None
    share: float = 0.0


class Entries(BareList):
    items: tuple[Entry, ...]


@pytest.mark.parametrize(
    ("field", "given", "taken"),
    [
        ("day", "2019-02-04", date(2019, 2, 4)),
        ("day", "0000-00-00", None),
        ("day", "", None),
        ("day", 2019, None),
        ("words", "", None),
        ("words", " ", " "),
        ("minutes", 0, None),
        ("minutes", "", None),
        ("minutes", 24, 24),
        ("elsewhere", 0, None),
        ("elsewhere", 7, 7),
    ],
)
def test_what_is_empty_or_no_day_costs_no_more_than_its_field(
    field: str, given: object, taken: object
) -> None:
    entry = Entry.model_validate({"id": 1, field: given})
    assert getattr(entry, field) == taken
    assert entry.id == 1


def test_null_is_as_good_as_left_out_and_what_is_new_is_passed_over() -> None:
    given = {"id": 1, "share": None, "words": None, "invented_later": {"a": [1]}}
    assert Entry.model_validate(given) == Entry(id=1)


@pytest.mark.parametrize("given", [{"id": 0}, {"id": 10**18 + 1}, {"id": "x"}, {}, [], "text"])
def test_what_no_number_can_be_is_no_entry(given: object) -> None:
    with pytest.raises(ValidationError):
        Entry.model_validate(given)


def test_a_number_without_end_is_none() -> None:
    with pytest.raises(ValidationError, match="finite"):
        Entry.model_validate_json('{"id": 1, "share": NaN}')


def test_a_list_can_be_a_whole_answer_and_an_empty_one_says_nothing() -> None:
    some = Entries.model_validate_json('[{"id": 1}, {"id": 2}]')
    assert [entry.id for entry in some.items] == [1, 2]
    assert not some.says_nothing
    assert Entries.model_validate_json("[]").says_nothing
    with pytest.raises(ValidationError):
        Entries.model_validate_json('{"items": []}')


def test_only_what_knows_no_such_thing_says_nothing() -> None:
    assert NothingKnown().says_nothing
    assert not Entry(id=1).says_nothing
