import sqlalchemy as sa

from ledger.stores import policies
from ledger.tables.media import policy
from ledger.writer import Transaction
from tests.ledger.moments import START, later


def test_publishing_makes_the_next_version_and_retires_the_one_before(tx: Transaction) -> None:
    assert policies.published(tx.conn, "acquisition") is None
    assert policies.publish(tx, "acquisition", {"cutoff": "1080p"}, START) == 1
    assert policies.publish(tx, "acquisition", {"cutoff": "2160p"}, later(1)) == 2
    found = policies.published(tx.conn, "acquisition")
    assert found is not None
    assert (found.version, found.body, found.created_at) == (2, {"cutoff": "2160p"}, later(1))
    states = tx.conn.execute(sa.select(policy.c.version, policy.c.state)).all()
    assert sorted(map(tuple, states)) == [(1, "retired"), (2, "published")]


def test_kinds_are_counted_apart(tx: Transaction) -> None:
    policies.publish(tx, "acquisition", {}, START)
    assert policies.publish(tx, "identity", {"accept": "exact"}, START) == 1
    assert policies.published(tx.conn, "acquisition") is not None
