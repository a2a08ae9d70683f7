from typing import Any

import pytest

from capabilities.adapters.downloader.qbittorrent_answers import News, UnreadableError
from capabilities.adapters.downloader.qbittorrent_mirror import Mirror

A, B = "aa" * 20, "bb" * 20
V2 = "cd" * 32


def row(**changed: Any) -> dict[str, Any]:
    told = {"name": "n", "state": "stalledDL", "size": 5, "total_size": 5}
    return {**told, "category": "matinee", **changed}


def news(rid: int, **changed: Any) -> News:
    return News.model_validate({"rid": rid, **changed})


def test_only_what_changed_is_taken_and_told() -> None:
    mirror = Mirror("it")
    first = mirror.take(news(1, full_update=True, torrents={A: row(), B: row(added_on=9)}))
    quiet = mirror.take(news(2, torrents={A: {"dlspeed": 7}}))
    told = mirror.take(news(3, torrents={A: {"state": "stalledUP"}}))

    assert (sorted(first), quiet, told) == ([A, B], [], [A])
    changed = mirror.row(A)
    assert changed is not None
    assert (changed.state, changed.dlspeed, changed.size) == ("stalledUP", 7, 5)
    assert mirror.ids() == [A, B]


def test_what_is_gone_is_told_in_news_and_in_a_whole_answer() -> None:
    mirror = Mirror("it")
    mirror.take(news(1, full_update=True, torrents={A: row(), B: row()}))
    removed = mirror.take(news(2, torrents_removed=[A]))
    emptied = mirror.take(news(9, full_update=True))

    assert (removed, emptied, mirror.ids(), mirror.rid) == ([A], [B], [], 9)


def test_a_hybrid_is_found_by_all_its_names() -> None:
    mirror = Mirror("it")
    hybrid = row(infohash_v1=A, infohash_v2=V2)
    mirror.take(news(1, full_update=True, torrents={V2[:40]: hybrid}))

    assert {mirror.named(name) for name in (A, A.upper(), V2, V2[:40])} == {V2[:40]}
    assert mirror.named(B) is None
    assert mirror.key(V2[:40]) == A


def test_one_row_that_cannot_be_read_hides_no_other() -> None:
    mirror = Mirror("it")
    bad = row(size="many")
    mirror.take(news(1, full_update=True, torrents={A: bad, B: row()}))

    assert mirror.ids() == [A, B]
    assert mirror.named(A) == A
    assert mirror.row(B) is not None
    with pytest.raises(UnreadableError):
        mirror.row(A)


@pytest.mark.parametrize(
    ("told", "ours"),
    [
        ({}, True),
        ({"category": "films"}, False),
        ({"category": ""}, False),
        ({"category": "films", "tags": "a, matinee-paused"}, True),
        ({"category": "films", "tags": 7}, False),
    ],
)
def test_ours_is_what_has_our_category_or_a_note_of_ours(
    told: dict[str, Any], *, ours: bool
) -> None:
    mirror = Mirror("it")
    heard = mirror.take(news(1, full_update=True, torrents={A: row(**told)}))

    assert (mirror.is_ours(A), bool(mirror.ours()), bool(heard)) == (ours, ours, ours)
    assert mirror.ids() == [A]


def test_what_was_asked_for_is_told_of_like_ours() -> None:
    mirror = Mirror("it")
    foreign = row(category="films")
    mirror.take(news(1, full_update=True, torrents={A: foreign, B: foreign}))
    mirror.ask_for(A)
    told = mirror.take(news(2, torrents={A: {"state": "error"}, B: {"state": "error"}}))
    ours = mirror.ours()
    gone = mirror.take(news(3, torrents_removed=[A, B]))

    assert (told, ours, gone) == ([A], [A], [A])
    assert mirror.ours() == []


def test_a_hash_that_is_learned_late_is_a_name_too_and_goes_with_its_torrent() -> None:
    mirror = Mirror("it")
    mirror.take(news(1, full_update=True, torrents={V2[:40]: row()}))
    before = mirror.named(A)
    mirror.take(news(2, torrents={V2[:40]: {"infohash_v1": A, "infohash_v2": V2}}))
    named = {mirror.named(A), mirror.named(V2)}
    mirror.take(news(3, torrents_removed=[V2[:40]]))

    assert (before, named) == (None, {V2[:40]})
    assert (mirror.named(A), mirror.named(V2)) == (None, None)


def test_categories_come_and_go() -> None:
    mirror = Mirror("it")
    mirror.take(news(1, full_update=True, categories={"films": {}, "tv": {}}))
    mirror.take(news(2, categories={"matinee": {}}, categories_removed=["tv"]))

    assert mirror.categories == {"films", "matinee"}
