import pytest

from ledger.stores import switches
from ledger.stores.switches import Switch, SwitchName
from ledger.writer import Transaction
from tests.ledger.moments import START, later


def test_until_somebody_turns_them_the_house_acts_and_may_be_changed(tx: Transaction) -> None:
    assert switches.every(tx.conn) == [
        Switch(SwitchName.MASTER, on=True, set_by=None, set_at=None, reason=None),
        Switch(SwitchName.READ_ONLY, on=False, set_by=None, set_at=None, reason=None),
    ]


@pytest.mark.parametrize("name", SwitchName)
def test_a_switch_stands_as_it_was_turned_last(tx: Transaction, name: SwitchName) -> None:
    for second, on in enumerate((False, True, False)):
        at = later(second)
        switches.turn(tx, name, on=on, by="owner:ann", reason=f"{second}", at=at)
        assert switches.get(tx.conn, name) == Switch(name, on, "owner:ann", at, f"{second}")
    (other,) = set(SwitchName) - {name}
    assert switches.get(tx.conn, other).set_at is None
    assert later(2) > START
