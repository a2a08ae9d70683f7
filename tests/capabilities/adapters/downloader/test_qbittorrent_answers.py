import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.qbittorrent_answers import (
    Row,
    UnreadableError,
    hashes_of,
    read_files,
    read_news,
)

V1, V2 = "ab" * 20, "cd" * 32
ROW = {"name": "n", "state": "metaDL", "size": -1, "total_size": -1}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html></html>",
        b"[]",
        b"null",
        b'{"rid": "x"}',
        b'{"rid": 1, "torrents": []}',
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_what_is_no_answer_of_qbittorrent_is_said_to_be_none(body: bytes) -> None:
    with pytest.raises(UnreadableError, match="not one that qBittorrent gives"):
        read_news("it", body)


def test_of_each_torrent_is_kept_what_is_of_use_and_of_an_odd_one_nothing() -> None:
    told = read_news(
        "it",
        b'{"rid": 1, "torrents": {"a": 7, "b": null, "c": [], "d": {"name": "x", "name": "n",'
        b' "magnet_uri": "magnet:?xt=", "ratio": NaN, "size": -1}}}',
    )

    assert told.torrents == {"a": {}, "b": {}, "c": {}, "d": {"name": "n", "size": -1}}


@pytest.mark.parametrize(
    "file",
    [
        b'{"name": "", "size": 1, "progress": 0, "priority": 1}',
        b'{"name": "a", "size": -1, "progress": 0, "priority": 1}',
        b'{"name": "a", "size": 1, "progress": 7, "priority": 1}',
        b'{"name": "a", "size": 1, "progress": NaN, "priority": 1}',
    ],
)
def test_a_file_that_cannot_be_is_refused(file: bytes) -> None:
    with pytest.raises(UnreadableError):
        read_files("it", b"[" + file + b"]")


def test_a_torrent_is_called_by_both_its_hashes_or_else_by_its_id() -> None:
    both = Row.model_validate({**ROW, "infohash_v1": V1, "infohash_v2": V2})
    neither = Row.model_validate({**ROW, "infohash_v1": "", "infohash_v2": ""})

    assert hashes_of(V2[:40], both) == InfoHashes(v1=V1, v2=V2)
    assert hashes_of(V1, neither) == InfoHashes(v1=V1)
    assert hashes_of("no hash", neither) is None


def test_a_ratio_is_of_what_was_taken_or_of_what_is_there() -> None:
    seeded = Row.model_validate({**ROW, "uploaded": 30, "completed": 10})
    fetched = Row.model_validate({**ROW, "uploaded": 30, "downloaded": 60, "completed": 10})

    assert (seeded.ratio, fetched.ratio, Row.model_validate(ROW).ratio) == (3.0, 0.5, 0.0)
    assert not Row.model_validate(ROW).has_metadata
