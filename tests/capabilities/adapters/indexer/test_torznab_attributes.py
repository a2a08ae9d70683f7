from xml.etree.ElementTree import Element

import pytest

from capabilities.adapters.indexer.torznab_attributes import (
    MOST_VALUES,
    attributes_of,
    first,
    whole,
)


def item(*attributes: tuple[str, str]) -> Element:
    made = Element("item")
    made.extend(Element("{urn:x}attr", name=name, value=value) for name, value in attributes)
    return made


def test_values_are_kept_once_in_order_whatever_the_case_of_their_name() -> None:
    held = attributes_of(item(("Tag", "b"), ("tag", "a"), ("TAG", " b "), ("tag", " ")))

    assert list(held["tag"]) == ["b", "a"]
    assert (first(held, "tag"), first(held, "size")) == ("b", None)


def test_there_is_an_end_to_the_values() -> None:
    held = attributes_of(item(*(("tag", str(number)) for number in range(500))))

    assert len(held["tag"]) == MOST_VALUES


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (" 7 ", 7),
        ("0", 0),
        ("-1", None),
        ("1.5", None),
        ("١٢", None),
        ("9" * 19, None),
        (None, None),
    ],
)
def test_a_whole_number_is_one_that_a_column_holds(text: str | None, number: int | None) -> None:
    assert whole(text) == number
