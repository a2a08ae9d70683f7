from world.qbittorrent_double_news import NewsDesk


def test_everything_is_told_once_and_then_what_changed() -> None:
    desk, rows = NewsDesk(), {"a": {"state": "x", "size": 1}, "b": {"state": "y"}}
    first = desk.since(0, rows)
    quiet = desk.since(1, rows)
    del rows["b"]
    rows["a"]["state"] = "z"
    changed = desk.since(2, rows)
    lost = desk.since(1, rows)

    assert first["full_update"]
    assert set(first["torrents"]) == {"a", "b"}
    assert quiet == {"rid": 2}
    assert changed == {"rid": 3, "torrents": {"a": {"state": "z"}}, "torrents_removed": ["b"]}
    assert (lost["full_update"], lost["torrents"]) == (True, rows)
