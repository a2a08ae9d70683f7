from dataclasses import replace
from typing import Any

from ledger.stores import libraries
from ledger.stores.libraries import FolderRow, TitleRow, folder_key
from ledger.writer import Transaction
from tests.ledger.moments import START, later

SERIES = "/library/Series"


def folder(path: str, digest: str = "d1", library: str = SERIES) -> FolderRow:
    files: dict[str, Any] = {"videos": [["a.mkv", 1, 2, 3, "A", None, False, None, []]]}
    return FolderRow(folder_key(library, path), library, path, 2**40, digest, files, START)


TITLE = TitleRow("k1", "Lantern Street", 2019, True, "work_1", {"grade": "B"}, START)


def test_folders_are_kept_by_library_and_path(tx: Transaction) -> None:
    rows = [folder("b"), folder(""), folder("a"), folder("a", library="/library/Films")]
    libraries.put_folders(tx, rows)
    assert [row.path for row in libraries.folders(tx.conn, SERIES)] == ["", "a", "b"]
    libraries.put_folders(tx, [folder("a", "d2")])
    assert libraries.digests(tx.conn, SERIES) == {"": "d1", "a": "d2", "b": "d1"}
    libraries.forget_folders(tx, SERIES, ["a", "never there"])
    assert sorted(libraries.digests(tx.conn, SERIES)) == ["", "b"]
    assert list(libraries.digests(tx.conn, "/library/Films")) == ["a"]


def test_more_folders_than_one_statement_takes_are_written_and_forgotten(tx: Transaction) -> None:
    many = [folder(f"{number}") for number in range(1_201)]
    libraries.put_folders(tx, many)
    libraries.put_folders(tx, many)
    assert len(libraries.digests(tx.conn, SERIES)) == 1_201
    libraries.forget_folders(tx, SERIES, [row.path for row in many[1:]])
    assert list(libraries.digests(tx.conn, SERIES)) == ["0"]


def test_a_title_has_the_last_answer(tx: Transaction) -> None:
    libraries.put_title(tx, TITLE)
    newer = replace(TITLE, accepted=False, work=None, asked_at=later(5))
    libraries.put_title(tx, newer)
    assert libraries.titles(tx.conn, ["k1", "k2"]) == {"k1": newer}


def test_a_library_is_adopted_once_and_says_when_last(tx: Transaction) -> None:
    id_ = libraries.adopt(tx, SERIES, by="owner:ann", at=START)
    assert libraries.adopt(tx, SERIES, by="owner:ada", at=later(9)) == id_
    (row,) = libraries.adopted(tx.conn)
    assert (row.id, row.path, row.by, row.adopted_at) == (id_, SERIES, "owner:ada", later(9))
    assert libraries.by_path(tx.conn, SERIES) == row
    assert libraries.by_path(tx.conn, "/library/Films") is None


def test_a_folder_inside_an_adopted_library_is_part_of_it(tx: Transaction) -> None:
    whole = libraries.adopt(tx, SERIES, by="owner:ann", at=START)
    assert libraries.adopt(tx, f"{SERIES}/Lantern Street", by="owner:ann", at=later(1)) == whole
    libraries.put_folders(tx, [folder("a"), folder("a", library="/library/Films")])
    above = libraries.adopt(tx, "/library", by="owner:ann", at=later(2))
    beside = libraries.adopt(tx, "/library_two", by="owner:ann", at=later(3))
    assert [row.id for row in libraries.adopted(tx.conn)] == [above, beside]
    assert libraries.holding(tx.conn, f"{SERIES}/a") == libraries.by_path(tx.conn, "/library")
    assert libraries.holding(tx.conn, "/library_three") is None


def test_what_was_seen_in_parts_of_a_library_is_forgotten_some_at_a_time(tx: Transaction) -> None:
    beside = folder("a", library="/library_two")
    libraries.put_folders(tx, [folder("a"), folder("b"), folder("a", library="/library"), beside])
    assert libraries.forget_below(tx, "/library", limit=1) == 1
    assert libraries.forget_below(tx, "/library", limit=9) == 1
    assert libraries.forget_below(tx, "/library", limit=9) == 0
    assert libraries.digests(tx.conn, SERIES) == {}
    assert libraries.digests(tx.conn, "/library") == {"a": "d1"}
    assert libraries.digests(tx.conn, "/library_two") == {"a": "d1"}


def test_a_device_beyond_the_signed_numbers_comes_back_as_it_was(tx: Transaction) -> None:
    libraries.put_folders(tx, [replace(folder("a"), device=2**64 - 1)])
    assert [row.device for row in libraries.folders(tx.conn, SERIES)] == [2**64 - 1]
