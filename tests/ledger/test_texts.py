"""Texts that not every database takes."""

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from ledger.stores import switches
from ledger.stores.switches import SwitchName
from ledger.tables.runs import event
from ledger.texts import is_storable, storable
from ledger.writer import Transaction
from tests.ledger.moments import START as AT

ODD = "a\x00b\ud800c"
SIGNS = st.text(st.characters(codec=None))


@given(SIGNS)
def test_what_was_made_storable_is_storable_and_stays_as_it_is(text: str) -> None:
    made = storable(text)
    assert is_storable(made)
    assert len(made) == len(text)
    assert is_storable(text) == (made == text)
    made.encode()


@pytest.mark.parametrize("odd", ["\x00", chr(0xD800), chr(0xDFFF)])
def test_it_is_found_however_deep_it_is(odd: str) -> None:
    for hidden in ([odd], (odd,), {"deep": odd}, {odd: 1}):
        assert not is_storable({"a": [1, None, hidden]})
    assert is_storable({"a": [1, None, {"\U0001f600": ("\t",)}]})


def test_words_of_others_are_kept_on_either_database(tx: Transaction) -> None:
    switches.turn(tx, SwitchName.MASTER, on=False, by="owner:ann", reason=ODD, at=AT)
    held = switches.get(tx.conn, SwitchName.MASTER)
    assert held.reason == "a\ufffdb\ufffdc"


def test_documents_keep_them_as_they_are_on_either_database(tx: Transaction) -> None:
    row = {"type": ODD, "body": {ODD: [ODD]}, "at": AT}
    tx.conn.execute(event.insert().values(row))
    assert tx.conn.execute(sa.select(event.c.type)).scalar_one() == storable(ODD)
    assert tx.conn.execute(sa.select(event.c.body)).scalar_one() == {ODD: [ODD]}
    found = sa.select(sa.func.count()).select_from(event).where(event.c.type == ODD)
    assert tx.conn.execute(found).scalar_one() == 1
