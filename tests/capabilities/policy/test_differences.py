from typing import Any

import pytest

from capabilities.policy.differences import ChangeFacts, differences


def only(before: dict[str, Any], after: dict[str, Any]) -> ChangeFacts:
    (change,) = differences(before, after)
    return change


def test_of_a_list_what_goes_and_what_comes_is_told() -> None:
    change = only({"groups": ["a", "b", "c"]}, {"groups": ["b", "c", "d", "e"]})
    assert change.before == '3 in all, of which out: "a"'
    assert change.after == '4 in all, of which new: "d", "e"'


def test_another_order_is_told_as_such() -> None:
    assert only({"groups": ["a", "b"]}, {"groups": ["b", "a"]}).field == "groups, in another order"
    named = [{"name": "a"}, {"name": "b"}]
    assert only({"tiers": named}, {"tiers": named[::-1]}).field == "tiers, in another order"


LONG = "x" * 400


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"{LONG}a{LONG}", f"{LONG}b{LONG}"),
        ([f"{LONG}a{LONG}"], [f"{LONG}b{LONG}"]),
        (["a"] * 50, ["a"] * 51),
        ([], [f"{n}" for n in range(50)]),
        ([{"name": "f", "value": f"{LONG}a{LONG}"}], [{"name": "f", "value": f"{LONG}b{LONG}"}]),
        ([{"name": "f", "conditions": [{"name": "", "value": "a"}, {"name": "", "value": "b"}]}],
         [{"name": "f", "conditions": [{"name": "", "value": "c"}, {"name": "", "value": "b"}]}]),
    ],
)  # fmt: skip
def test_what_differs_never_looks_the_same(old: Any, new: Any) -> None:
    change = only({"field": old}, {"field": new})
    assert change.before != change.after
    assert len(change.before) + len(change.after) < 1_400


def test_of_a_format_only_what_differs_of_it_is_told() -> None:
    old = {"name": "f", "score": 5, "conditions": [{"kind": "words", "value": "x"}]}
    change = only({"formats": [old]}, {"formats": [{**old, "score": -10}]})
    assert (change.field, change.before, change.after) == ("formats 'f'", "score 5", "score -10")


def test_refusals_come_first_and_formats_last() -> None:
    after = {
        "formats": [{"name": "f"}],
        "delay_minutes": 5,
        "tiers": [{"name": "t"}],
        "refused_groups": ["g"],
        "propers": "no",
        "required_groups": ["r"],
    }
    assert [one.field for one in differences({}, after)] == [
        "refused_groups",
        "delay_minutes",
        "propers",
        "required_groups",
        "tiers 't'",
        "formats 'f'",
    ]
