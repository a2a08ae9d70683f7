import pytest

from ledger.sealing import Sealed, SealingKey
from ledger.stores import sealed_secrets
from ledger.stores.sealed_secrets import SealedSecret
from ledger.writer import Transaction
from tests.ledger.moments import START, later

ONE, TWO = SealingKey(b"1" * 32), SealingKey(b"2" * 32)


def test_a_secret_comes_back_as_it_was_sealed(tx: Transaction) -> None:
    sealed_secrets.put(tx, "b", ONE.seal("b", "canary"), START)
    sealed_secrets.put(tx, "a", ONE.seal("a", "bird"), later(1))
    first, second = sealed_secrets.all_of(tx.conn)
    assert (first.name, first.key_id, first.set_at) == ("a", ONE.id, later(1))
    assert ONE.open("b", second.seal) == "canary"


def test_a_second_one_of_a_name_replaces_the_first(tx: Transaction) -> None:
    for n, value in enumerate(("old", "new")):
        sealed_secrets.put(tx, "a", ONE.seal("a", value), later(n))
    (row,) = sealed_secrets.all_of(tx.conn)
    assert (ONE.open("a", row.seal), row.set_at) == ("new", later(1))


def test_a_secret_is_forgotten_once(tx: Transaction) -> None:
    sealed_secrets.put(tx, "a", ONE.seal("a", "x"), START)
    assert sealed_secrets.remove(tx, "a")
    assert not sealed_secrets.remove(tx, "a")
    assert sealed_secrets.all_of(tx.conn) == []


def test_sealing_anew_changes_what_it_should_and_no_moment(tx: Transaction) -> None:
    for name in ("a", "b"):
        sealed_secrets.put(tx, name, ONE.seal(name, f"{name}!"), START)

    def anew(row: SealedSecret) -> Sealed | None:
        return TWO.seal(row.name, ONE.open(row.name, row.seal)) if row.name == "a" else None

    assert sealed_secrets.reseal(tx, anew) == ["a"]
    first, second = sealed_secrets.all_of(tx.conn)
    assert (TWO.open("a", first.seal), first.set_at) == ("a!", START)
    assert second.key_id == ONE.id


def test_one_that_cannot_be_sealed_anew_ends_it(tx: Transaction) -> None:
    sealed_secrets.put(tx, "a", ONE.seal("a", "x"), START)

    def anew(row: SealedSecret) -> Sealed | None:
        raise ZeroDivisionError(row.name)

    with pytest.raises(ZeroDivisionError):
        sealed_secrets.reseal(tx, anew)
