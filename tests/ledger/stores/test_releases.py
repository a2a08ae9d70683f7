from dataclasses import replace

from ledger.stores import releases
from ledger.stores.releases import NewRelease, ReleaseRow
from ledger.writer import Transaction
from tests.ledger.moments import START, later

NEW = NewRelease(
    indexer="loopback",
    guid="1",
    title="Sintel.2010.1080p",
    size=5_000_000_000,
    info_hash=None,
    found={"seeders": 3},
    work=None,
    judgement=None,
)


def now(tx: Transaction, id_: str) -> ReleaseRow:
    found = releases.by_id(tx.conn, id_)
    assert found is not None
    return found


def test_an_offer_is_known_by_its_indexer_and_guid(tx: Transaction) -> None:
    id_ = releases.keep(tx, NEW, START)
    assert releases.keep(tx, replace(NEW, guid="2"), START) != id_
    assert releases.keep(tx, replace(NEW, indexer="another"), START) != id_
    assert releases.keep(tx, replace(NEW, found={"seeders": 9}), later(1)) == id_
    assert (now(tx, id_).found, now(tx, id_).found_at) == ({"seeders": 9}, later(1))
    assert releases.by_id(tx.conn, "rel_none") is None


def test_a_torrent_file_is_kept_with_its_info_hash(tx: Transaction) -> None:
    id_ = releases.keep(tx, NEW, START)
    assert releases.torrent(tx.conn, id_) is None
    releases.keep_torrent(tx, id_, b"d4:infoe", "aa" * 20)
    assert releases.torrent(tx.conn, id_) == b"d4:infoe"
    assert now(tx, id_).info_hash == "aa" * 20


def test_the_accepted_identity_is_recorded_with_its_evidence(tx: Transaction) -> None:
    id_ = releases.keep(tx, NEW, START)
    releases.identify(tx, id_, "work_1", {"grade": "exact"})
    assert (now(tx, id_).work, now(tx, id_).identity) == ("work_1", {"grade": "exact"})
