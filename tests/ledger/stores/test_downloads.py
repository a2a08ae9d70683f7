from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from ledger.stores import downloads
from ledger.stores.downloads import DownloadRow
from ledger.writer import Transaction
from tests.ledger.moments import START, later

ROW = DownloadRow(
    id="dl_1",
    client="built-in",
    info_hash="aa" * 20,
    hash_v1="aa" * 20,
    hash_v2="bb" * 32,
    name="Sintel",
    plan="plan_1",
    release="rel_1",
    work="work_1",
    run="run_1",
    state="downloading",
    size=5_000_000_000,
    done=0,
    facts={"peers": 3},
    last_error=None,
    created_at=START,
    updated_at=START,
    completed_at=None,
)
OTHER = replace(
    ROW,
    id="dl_2",
    info_hash="cc" * 20,
    hash_v1=None,
    hash_v2=None,
    plan="plan_2",
    work="work_2",
    run=None,
    state="completed",
    created_at=later(1),
)


def test_a_download_comes_back_as_it_was_stored(tx: Transaction) -> None:
    downloads.add(tx, ROW)
    assert downloads.by_id(tx.conn, "dl_1") == ROW
    assert downloads.of_plan(tx.conn, "plan_1") == ROW
    assert downloads.of_run(tx.conn, "run_1") == [ROW]
    assert downloads.by_id(tx.conn, "dl_none") is None


@pytest.mark.parametrize("wanted", ["aa" * 20, "AA" * 20, "bb" * 32, "Bb" * 32])
def test_a_download_is_found_by_either_hash_in_any_case(tx: Transaction, wanted: str) -> None:
    downloads.add(tx, ROW)
    downloads.add(tx, OTHER)
    assert downloads.by_hash(tx.conn, wanted) == ROW
    assert downloads.by_hash(tx.conn, "dd" * 20) is None


def test_one_torrent_is_one_download(tx: Transaction) -> None:
    downloads.add(tx, ROW)
    with pytest.raises(IntegrityError):
        downloads.add(tx, replace(OTHER, info_hash=ROW.info_hash))


def test_downloads_are_listed_newest_first_and_narrowed(tx: Transaction) -> None:
    downloads.add(tx, ROW)
    downloads.add(tx, OTHER)
    assert downloads.listing(tx.conn) == [OTHER, ROW]
    assert downloads.listing(tx.conn, states=("downloading", "stalled")) == [ROW]
    assert downloads.listing(tx.conn, work="work_2") == [OTHER]
    assert downloads.listing(tx.conn, states=("downloading",), work="work_2") == []


def test_columns_are_changed_of_one_download_only(tx: Transaction) -> None:
    downloads.add(tx, ROW)
    downloads.add(tx, OTHER)
    downloads.change(tx, "dl_1", done=7, completed_at=later(9))
    assert downloads.by_id(tx.conn, "dl_1") == replace(ROW, done=7, completed_at=later(9))
    assert downloads.by_id(tx.conn, "dl_2") == OTHER


def test_what_has_completed_or_is_over_is_not_under_way(tx: Transaction) -> None:
    assert downloads.count_under_way(tx.conn, ("failed",)) == 0
    downloads.add(tx, ROW)
    downloads.add(tx, replace(OTHER, completed_at=later(1)))
    downloads.add(tx, replace(OTHER, id="dl_3", info_hash="ee" * 20, state="failed"))
    assert downloads.count_under_way(tx.conn, ("failed",)) == 1
    assert downloads.count_under_way(tx.conn, ()) == 2


def test_downloads_are_counted_by_client_and_state(tx: Transaction) -> None:
    elsewhere = replace(OTHER, id="dl_3", info_hash="dd" * 20, client="attic")
    for row in (ROW, OTHER, elsewhere):
        downloads.add(tx, row)

    assert downloads.counts(tx.conn) == {
        "built-in": {"downloading": 1, "completed": 1},
        "attic": {"completed": 1},
    }
