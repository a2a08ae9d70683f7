from dataclasses import replace

import pytest

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


def at(minutes: int | None) -> dict[str, object]:
    return {} if minutes is None else {"published": later(minutes).isoformat()}


def test_an_offer_is_known_by_its_indexer_and_guid(tx: Transaction) -> None:
    id_ = releases.keep(tx, NEW, START)
    assert releases.keep(tx, replace(NEW, guid="2"), START) != id_
    assert releases.keep(tx, replace(NEW, indexer="another"), START) != id_
    assert releases.keep(tx, replace(NEW, found={"seeders": 9}), later(1)) == id_
    assert (now(tx, id_).found, now(tx, id_).found_at) == ({"seeders": 9}, later(1))
    assert releases.by_id(tx.conn, "rel_none") is None


@pytest.mark.parametrize(
    ("times", "stays"),
    [
        ((5, 9), 5),
        ((9, 5), 5),
        ((5, None), 5),
        ((None, 5), 5),
        ((None, None), None),
        ((5, 9, 7), 5),
    ],
)
def test_the_earliest_publication_time_stays(
    tx: Transaction, times: tuple[int | None, ...], stays: int | None
) -> None:
    ids = {
        releases.keep(tx, replace(NEW, found={**NEW.found, **at(minutes)}), START)
        for minutes in times
    }
    (id_,) = ids
    assert now(tx, id_).found.get("published") == at(stays).get("published")
    assert now(tx, id_).found["seeders"] == 3
    kept = releases.first_published(tx.conn, NEW.indexer, NEW.guid)
    assert kept == (None if stays is None else later(stays))


def test_times_of_different_zones_are_compared_as_moments(tx: Transaction) -> None:
    early, late = "2026-03-01T23:30:00+02:00", "2026-03-01T22:00:00Z"
    releases.keep(tx, replace(NEW, found={"published": late}), START)
    id_ = releases.keep(tx, replace(NEW, found={"published": early}), START)
    assert now(tx, id_).found == {"published": early}


def test_an_offer_that_is_not_known_has_no_publication_time(tx: Transaction) -> None:
    releases.keep(tx, replace(NEW, found=at(5)), START)
    assert releases.first_published(tx.conn, "another", NEW.guid) is None
    assert releases.first_published(tx.conn, NEW.indexer, "2") is None


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


def test_the_offers_found_last_come_first_and_all_are_counted(tx: Transaction) -> None:
    ids = [releases.keep(tx, replace(NEW, guid=str(n)), later(n)) for n in range(3)]
    rows, total = releases.newest(tx.conn, limit=2)
    assert ([row.id for row in rows], total) == ([ids[2], ids[1]], 3)
