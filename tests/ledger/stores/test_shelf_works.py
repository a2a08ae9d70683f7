from dataclasses import replace
from datetime import date

from ledger.stores import assets, shelf, shelf_works, works
from ledger.stores.shelf_works import Listing, Narrowing, Summary
from ledger.writer import Transaction
from tests.ledger.moments import START
from tests.ledger.stores.test_assets import ROW

EVERY = Narrowing()


def work(tx: Transaction, title: str, year: int | None = 2010, kind: str = "film") -> str:
    key = f"tmdb:{kind}:{title}"
    return works.keep(tx, key=key, kind=kind, title=title, year=year, body={}, at=START)


def wanted(tx: Transaction, *titles: str) -> dict[str, str]:
    held = {title: work(tx, title) for title in titles}
    for id_ in held.values():
        shelf.move_slot(tx, id_, 0, 0, state="wanted", asset_id=None)
    return held


def told(tx: Transaction, narrowing: Narrowing = EVERY, *also: str) -> list[str]:
    found = shelf_works.page(tx.conn, narrowing, start=0, limit=50, also=also)
    assert shelf_works.count(tx.conn, narrowing, also) == found.total == len(found.ids)
    return found.ids


def test_works_of_the_shelf_come_by_title_in_pages_and_no_others(tx: Transaction) -> None:
    held = wanted(tx, "sintel", "Élan", "Big Buck Bunny")
    work(tx, "Looked up only")
    order = [held["Big Buck Bunny"], held["sintel"], held["Élan"]]
    assert told(tx) == order
    assert shelf_works.page(tx.conn, EVERY, start=1, limit=1) == Listing([held["sintel"]], 3)


def test_a_work_that_is_fetched_again_goes_by_its_new_title(tx: Transaction) -> None:
    held = wanted(tx, "A", "B")
    works.keep(tx, key="tmdb:film:A", kind="film", title="Z", year=1999, body={}, at=START)
    assert told(tx) == [held["B"], held["A"]]


def test_kind_words_and_work_narrow_it(tx: Transaction) -> None:
    held = wanted(tx, "Lantern Street", "100% Wolf")
    series = work(tx, "Lantern Street", kind="series")
    assets.put_many(tx, [replace(ROW, work=series)])
    assert told(tx, Narrowing(kind="series")) == [series]
    assert told(tx, Narrowing(words=("street", "lant"))) == sorted([held["Lantern Street"], series])
    assert told(tx, Narrowing(words=("0%",))) == [held["100% Wolf"]]
    assert told(tx, Narrowing(work=series)) == [series]


def test_what_follows_from_files_is_open_after_each_change(tx: Transaction) -> None:
    (id_,) = wanted(tx, "Sintel").values()
    for change in (
        lambda: shelf.put_asset(tx, replace(ROW, work=id_)),
        lambda: assets.forget(tx, [ROW.id]),
        lambda: assets.put_many(tx, [replace(ROW, work=id_)]),
        lambda: assets.satisfy(tx, {(id_, 0, 0): ROW.id}),
        lambda: work(tx, "Sintel"),
    ):
        shelf_works.summarise(tx, {id_: Summary(0, None, ())})
        assert shelf_works.stale(tx.conn) == []
        change()
        assert shelf_works.stale(tx.conn) == [id_]


def test_a_file_that_is_another_work_now_leaves_both_open(tx: Transaction) -> None:
    held = wanted(tx, "A", "B")
    shelf.put_asset(tx, replace(ROW, work=held["A"]))
    for id_ in held.values():
        shelf_works.summarise(tx, {id_: Summary(0, None, ())})
    shelf.put_asset(tx, replace(ROW, id="asset_9", work=held["B"]))
    assert sorted(shelf_works.stale(tx.conn)) == sorted(held.values())


def test_gaps_and_qualities_narrow_it_by_the_summary(tx: Transaction) -> None:
    held = wanted(tx, "gap", "to come", "whole", "stale")
    shelf_works.summarise(tx, {held["gap"]: Summary(2, None, ["WEBDL-1080p", "SDTV"])})
    shelf_works.summarise(tx, {held["to come"]: Summary(0, date(2026, 3, 2), ["Bluray-2160p"])})
    shelf_works.summarise(tx, {held["whole"]: Summary(0, None, [])})
    assert told(tx, Narrowing(missing_on=date(2026, 3, 1))) == [held["gap"]]
    assert told(tx, Narrowing(missing_on=date(2026, 3, 2))) == [held["gap"], held["to come"]]
    assert told(tx, Narrowing(quality="webdl-1080")) == [held["gap"]]
    assert told(tx, Narrowing(quality="1080"), held["stale"]) == [held["gap"], held["stale"]]


def test_a_summary_is_open_from_the_day_on_which_the_next_episode_comes_out(
    tx: Transaction,
) -> None:
    (id_,) = wanted(tx, "to come").values()
    shelf_works.summarise(tx, {id_: Summary(0, date(2026, 3, 2), [])})
    assert shelf_works.stale(tx.conn, on=date(2026, 3, 1)) == []
    assert shelf_works.stale(tx.conn, on=date(2026, 3, 2)) == [id_]
    held = shelf_works.listed(tx.conn, [id_])[id_]
    assert (held.holds_on(date(2026, 3, 1)), held.holds_on(date(2026, 3, 2))) == (True, False)


def test_a_narrowed_page_counts_what_comes_before_and_behind_it(tx: Transaction) -> None:
    wanted(tx, *(f"Film {number}" for number in range(5)), "Other")
    films = Narrowing(words=("film",))
    for start, shown in ((0, 2), (2, 2), (4, 1), (6, 0)):
        found = shelf_works.page(tx.conn, films, start=start, limit=2)
        assert (len(found.ids), found.total) == (shown, 5)
