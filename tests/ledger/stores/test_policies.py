import sqlalchemy as sa

from ledger.stores import policies
from ledger.stores.policies import PolicyState
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


def test_a_draft_is_the_next_version_and_changes_nothing_until_it_is_published(
    tx: Transaction,
) -> None:
    policies.publish(tx, "acquisition", {"a": 1}, START)
    draft = policies.keep_draft(tx, "acquisition", {"a": 2}, later(1), by="owner:ada")
    assert (draft.version, draft.state) == (2, PolicyState.DRAFT)
    found = policies.published(tx.conn, "acquisition")
    assert found is not None
    assert found.version == 1
    assert policies.publish_draft(tx, "acquisition", 2, later(2))
    found = policies.published(tx.conn, "acquisition")
    assert found is not None
    assert (found.version, found.body, found.by) == (2, {"a": 2}, "owner:ada")
    assert (found.created_at, found.published_at) == (later(1), later(2))
    earlier = policies.version_of(tx.conn, "acquisition", 1)
    assert earlier is not None
    assert earlier.state == PolicyState.RETIRED
    assert not policies.publish_draft(tx, "acquisition", 2, later(3))


def test_a_kind_has_one_draft(tx: Transaction) -> None:
    policies.publish(tx, "identity", {}, START)
    policies.keep_draft(tx, "identity", {"a": 1}, later(1), by="a")
    policies.keep_draft(tx, "acquisition", {"b": 1}, later(1), by="a")
    again = policies.keep_draft(tx, "identity", {"a": 2}, later(2), by="a", from_version=1)
    rows, total = policies.history(tx.conn, "identity", limit=9)
    assert [(row.version, row.state, row.from_version) for row in rows] == [
        (3, "draft", 1),
        (1, "published", None),
    ]
    assert (total, rows[0]) == (2, again)


def test_a_draft_that_was_overtaken_is_not_published(tx: Transaction) -> None:
    draft = policies.keep_draft(tx, "identity", {"a": 1}, START, by="a")
    assert policies.publish(tx, "identity", {}, later(1)) == 2
    policies.keep_draft(tx, "identity", {"a": 2}, later(2), by="a")
    assert not policies.publish_draft(tx, "identity", draft.version, later(3))
    assert not policies.publish_draft(tx, "identity", 9, later(3))
