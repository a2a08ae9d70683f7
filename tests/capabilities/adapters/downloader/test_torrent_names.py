import os
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.downloader.torrent_names import (
    MAX_FILES,
    BadTorrentError,
    check_info,
    check_part,
    check_paths,
)
from tests.capabilities.adapters.downloader.rig import encode

ROOT = "/downloads"
LEAF: dict[bytes, object] = {b"": {b"length": 10, b"pieces root": b"r" * 32}}


def info(**entries: object) -> bytes:
    return encode({b"name": b"Show", **{key.encode(): value for key, value in entries.items()}})


def files(*paths: tuple[bytes, ...], **more: object) -> bytes:
    extra = {key.encode(): value for key, value in more.items()}
    return info(files=[{b"length": 10, b"path": list(path), **extra} for path in paths])


def tree(root: dict[bytes, object]) -> bytes:
    return encode({b"name": b"Show", b"file tree": root, b"meta version": 2})


BAD_PARTS = [
    b"",
    b".",
    b"..",
    b"...",
    b". .",
    "\u202e..".encode(),
    "\uff0e\uff0e".encode(),
    "\u2026".encode(),
    "\u200b".encode(),
    b"\x01",
    b" ",
    b"a/b",
    b"/etc",
    b"a\\b",
    b"\\\\server\\share",
    b"a\0b",
    b"C:",
    b"c:evil",
    b"CON",
    b"nul.mkv",
    b"com1.txt",
    "ä".encode() * 128,
    b"x" * 256,
]
GOOD_PARTS = [
    b"Sintel.2010.1080p.BluRay.x264-GROUP.mkv",
    b"Agents of S.H.I.E.L.D.",
    b"..a",
    b"a..",
    b"!",
    "Fate\uff0fZero".encode(),
    b"x" * 255,
    "第01集.mkv".encode(),
    "电影.mkv".encode("gbk"),
    b"concert.mkv",
    b"Mission: Impossible.mkv",
]


@pytest.mark.parametrize("part", BAD_PARTS)
def test_a_bad_part_is_refused_wherever_it_stands(part: bytes) -> None:
    v2: dict[bytes, object] = {part: LEAF}
    places = [
        encode({b"name": part, b"length": 10}),
        encode({b"name": b"Show", b"name.utf-8": part, b"length": 10}),
        files((part,)),
        files((b"ok", part, b"ok")),
        files((b"fine",), **{"path.utf-8": [part]}),
        info(files=[{b"length": 1, b"path": [part], b"path.utf-8": [b"fine"]}]),
        files((part,), attr=b"p"),
    ]
    if part:
        places += [tree(v2), tree({b"ok": v2}), tree({b"ok": {part: {}}})]
    for place in places:
        with pytest.raises(BadTorrentError) as refused:
            check_info(place)
        assert part.decode("utf-8", "replace") in {"", ".", " "} or (
            part.decode("utf-8", "replace") not in refused.value.sentence
        )


@pytest.mark.parametrize("part", GOOD_PARTS)
def test_a_good_part_is_taken_wherever_it_stands(part: bytes) -> None:
    check_info(encode({b"name": part, b"length": 10}))
    check_info(files((part, b"a"), (b"b", part)))
    check_info(tree({part: LEAF, b"b": {part: LEAF}}))


@given(st.lists(st.binary(max_size=12), min_size=1, max_size=4))
def test_what_is_taken_stays_below_the_folder(parts: list[bytes]) -> None:
    try:
        check_paths([tuple(parts)])
    except BadTorrentError:
        return
    path = os.fsencode(ROOT) + b"/" + b"/".join(parts)

    assert os.path.normpath(path) == path
    assert b"\0" not in path


@given(st.text(st.sampled_from("./\\ C:aN\0"), max_size=4))
def test_what_is_taken_stays_below_the_folder_of_the_other_kind_of_system(text: str) -> None:
    try:
        check_part(text.encode())
    except BadTorrentError:
        return
    stripped = text.rstrip(". ")

    assert stripped
    assert not set(text) & {"/", "\\", "\0"}
    assert not re.match("[A-Za-z]:", text)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((b"a",), (b"a",)),
        ((b"a", b"b"), (b"A", b"B")),
        (("é.mkv".encode(),), ("e\u0301.mkv".encode(),)),
        ((b"a",), (b"a", b"b")),
        ((b"A", b"b"), (b"a",)),
    ],
)
def test_two_names_that_meet_on_some_file_system_are_refused(
    first: tuple[bytes, ...], second: tuple[bytes, ...]
) -> None:
    with pytest.raises(BadTorrentError):
        check_info(files(first, second))


def test_pad_files_may_share_a_name() -> None:
    pad: dict[bytes, object] = {b"length": 5, b"path": [b".pad", b"5"], b"attr": b"p"}
    film: dict[bytes, object] = {b"length": 5, b"path": [b"film.mkv"]}

    check_info(info(files=[film, pad, pad]))
    check_info(tree({b"pad": {b"": {b"attr": b"p", b"length": 1}}, b"film": LEAF}))


@pytest.mark.parametrize(
    "linked",
    [
        files((b"a",), attr=b"l", **{"symlink path": [b"b"]}),
        tree({b"a": {b"": {b"attr": b"hl", b"symlink path": [b".."]}}}),
    ],
)
def test_symbolic_links_are_refused(linked: bytes) -> None:
    with pytest.raises(BadTorrentError, match="symbolic link"):
        check_info(linked)


def test_more_files_than_the_limit_are_refused_and_as_many_are_taken() -> None:
    check_paths((b"%d" % number,) for number in range(MAX_FILES))
    with pytest.raises(BadTorrentError, match="more than"):
        check_paths((b"%d" % number,) for number in range(MAX_FILES + 1))


@pytest.mark.parametrize(
    "garbled",
    [
        b"",
        b"le",
        b"i1e",
        b"d4:name2:ok4:name2:..e",
        b"d4:name2:..4:name2:oke",
        b"d6:lengthi007e4:name2:oke",
        b"d4:name2:ok" + b"l" * 500,
        encode({b"name": 7}),
        encode({b"name": b"ok", b"files": {}}),
        encode({b"name": b"ok", b"files": [b"x"]}),
        encode({b"name": b"ok", b"files": [{b"path": b"x"}]}),
        encode({b"name": b"ok", b"files": [{b"path": list[bytes]()}]}),
        encode({b"name": b"ok", b"files": [{b"length": 1}]}),
        encode({b"name": b"ok", b"files": [{b"path": [7]}]}),
        encode({b"name": b"ok", b"file tree": []}),
        encode({b"name": b"ok", b"file tree": {b"": {b"length": 1}}}),
        encode({b"name": b"ok", b"file tree": {b"a": 1}}),
    ],
)
def test_a_garbled_dictionary_is_refused(garbled: bytes) -> None:
    with pytest.raises(BadTorrentError):
        check_info(garbled)


@given(st.binary(max_size=200))
def test_bytes_are_judged_or_refused_and_nothing_else(raw: bytes) -> None:
    with suppress(BadTorrentError):
        check_info(raw)
        assert raw.startswith(b"d")
