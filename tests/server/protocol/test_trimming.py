import json

from hypothesis import given
from hypothesis import strategies as st

from server.protocol.trimming import compact, size, trimmed


@given(
    rows=st.integers(0, 300),
    fields=st.integers(0, 150),
    text=st.text(max_size=50),
    most=st.integers(2, 20_000),
)
def test_what_is_trimmed_fits_or_is_nothing(rows: int, fields: int, text: str, most: int) -> None:
    row = {"text": text * 10, "numbers": list(range(fields))}
    facts = {"rows": [row] * rows, "table": {str(n): text for n in range(fields)}, "text": text}
    small, left_out = trimmed(facts, most)
    assert size(small) <= most or small == {}
    assert len(small.get("rows", [])) + left_out.get("rows", 0) in {rows, 0}


@given(facts=st.dictionaries(st.text(max_size=9), st.text(max_size=20) | st.integers()))
def test_the_compact_form_is_json_on_one_line(facts: dict[str, str | int]) -> None:
    assert json.loads(compact(facts)) == facts
    assert "\n" not in compact(facts)


def test_what_is_missing_is_counted_where_it_is_missing() -> None:
    works = [{"title": "x" * 5000, "seasons": list(range(100))} for _ in range(2)]
    small, left_out = trimmed({"works": works, "total": 2}, 8000)
    assert small["total"] == 2
    shown = small["works"][0]
    assert left_out == {
        "works.title": 2 * (5000 - len(shown["title"])),
        "works.seasons": 2 * (100 - len(shown["seasons"])),
    }


def test_a_table_is_cut_like_a_list_and_a_record_is_not() -> None:
    record = {f"field {n}": n for n in range(60)}
    table = {f"key {n}": "x" * 100 for n in range(1000)}
    small, left_out = trimmed({"record": record, "table": table}, 9000)
    assert small["record"] == record
    assert left_out == {"table": 1000 - len(small["table"])}


def test_what_cannot_be_cut_is_left_out_whole() -> None:
    assert trimmed({f"field {n}": n for n in range(1000)}, 100) == ({}, {})
