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


def test_a_hash_that_is_known_stays_where_the_indexer_says_none(tx: Transaction) -> None:
    id_ = releases.keep(tx, NEW, START)
    releases.keep_torrent(tx, id_, b"torrent", "ab" * 20)
    releases.keep(tx, NEW, later(1))
    assert now(tx, id_).info_hash == "ab" * 20
    releases.keep(tx, replace(NEW, info_hash="cd" * 20), later(2))
    assert now(tx, id_).info_hash == "cd" * 20


def test_every_release_of_a_torrent_is_found_by_each_of_its_hashes_the_newest_first(
    tx: Transaction,
) -> None:
    first, second, third = (
        releases.keep(tx, replace(NEW, guid=guid, info_hash=named), later(minutes))
        for minutes, (guid, named) in enumerate(
            (("1", "ab" * 20), ("2", "CD" * 20), ("3", "ef" * 20))
        )
    )
    both = releases.naming(tx.conn, {"ab" * 20, "cd" * 20})
    assert [row.id for row in both] == [second, first]
    assert [row.id for row in releases.naming(tx.conn, {"ef" * 20})] == [third]
    assert releases.naming(tx.conn, set()) == []


def test_what_was_found_for_a_work_is_told_the_newest_first(tx: Transaction) -> None:
    ids = [
        releases.keep(tx, replace(NEW, guid=str(at), work="work_1"), later(at)) for at in range(3)
    ]
    releases.keep(tx, replace(NEW, guid="other", work="work_2"), later(9))
    found = releases.found_for(tx.conn, "work_1", since=START, limit=2)
    assert [row.id for row in found] == [ids[2], ids[1]]
    last = releases.found_for(tx.conn, "work_1", since=later(2), limit=9)
    assert [row.id for row in last] == [ids[2]]


def test_what_is_found_by_words_stays_judged_for_the_work_it_was_found_for(
    tx: Transaction,
) -> None:
    work = "work_1"
    judged = {"accepted": False, "verdict": "same"}
    releases.keep(tx, replace(NEW, work=work, judgement=judged), START)
    id_ = releases.keep(tx, replace(NEW, work=None, judgement={"accepted": True}), later(1))
    row = now(tx, id_)
    assert (row.work, row.judgement) == (work, judged)
    releases.keep(tx, replace(NEW, work=work, judgement={"accepted": True}), later(2))
    assert now(tx, id_).judgement == {"accepted": True}
