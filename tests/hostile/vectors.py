"""The table of hostile names: torrents that would write elsewhere, or be taken for another file.

`refused` ones are declined with a sentence, however their names arrive. The others only look so,
or are common mistakes: they are taken, and what they write has a safe name below the folder.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tests.hostile.making import (
    entries,
    file,
    hybrid,
    hybrid_pack,
    info,
    leaf,
    several,
    single,
    tree,
)


class Kind(StrEnum):
    """What a vector tries."""

    TRAVERSAL = "leads up"
    ABSOLUTE = "begins at the top"
    DRIVE = "names a drive or server"
    CONTROL = "holds NUL or control signs"
    LATE = "hides a separator that a decoder finds"
    EMPTY = "has nothing in it"
    LENGTH = "is too long"
    DEVICE = "names a device"
    TWINS = "is another's twin"
    DIRECTION = "turns the direction of writing"
    SECOND = "is wrong in version 2"
    HYBRID = "is one thing in version 1 and another in version 2"
    LINK = "is a symbolic link"
    SPELLINGS = "is spelt two ways"
    PAD = "calls itself padding"
    GARBLED = "is malformed around the name"


@dataclass(frozen=True, slots=True)
class Vector:
    """One torrent, by its info dictionary; unless `refused` it is taken under a safe name."""

    id: str
    kind: Kind
    info: bytes
    refused: bool = True


def vectors() -> tuple[Vector, ...]:
    """The whole table."""
    made = [*_parts(), *_paths(), *_twins(), *_versions(), *_links_and_pads(), *_spellings()]
    return tuple(made)


_UP: tuple[bytes, ...] = (
    b"..",
    b"../outside.mkv",
    b"../../../outside.mkv",
    b"a/../../outside.mkv",
    b"..\\..\\outside.mkv",
    b"a\\..\\..\\outside.mkv",
    b".. ",
    b" ..",
    b". .",
    b"..\t",
    b"...",
    b".",
    "\uff0e\uff0e".encode(),
    "\u2025".encode(),
    "\u2026".encode(),
    "\u2024\u2024".encode(),
    ".\u200b.".encode(),
    "..\u00ad".encode(),
    "\u202e..".encode(),
)
_TOP: tuple[bytes, ...] = (
    b"/",
    b"/etc/matinee",
    b"//outside.mkv",
    b"\\",
    b"\\etc\\matinee",
    b"~/../outside.mkv",
)
_DRIVES: tuple[bytes, ...] = (
    b"C:",
    b"c:outside.mkv",
    b"C:\\outside.mkv",
    b"Z:/outside.mkv",
    b"\\\\server\\share\\outside.mkv",
    b"//server/share/outside.mkv",
    b"\\\\?\\C:\\outside.mkv",
    b"\\\\.\\COM1",
)
_CONTROLS: tuple[bytes, ...] = (b"\0", b"film.mkv\0.exe", b"../\0", b"\x01", b"\x7f", b"\r\n")
_LATE: tuple[bytes, ...] = (
    b"..\xe4/outside.mkv",
    "\u8868".encode("shift-jis") + b"outside.mkv",
    "\u8a31".encode("big5") + b"outside.mkv",
)
_NOTHING: tuple[bytes, ...] = (
    b"",
    b" ",
    b"\t",
    "\u3000".encode(),
    "\u200b".encode(),
    "\ufeff".encode(),
    "\u00ad".encode(),
)
_LONG: tuple[bytes, ...] = (b"x" * 256, b"y" * 252 + b".mkv", "\u96fb".encode() * 86, b"x" * 70_000)
_DEVICES: tuple[bytes, ...] = (
    b"CON",
    b"con.mkv",
    b"nul.tar.mkv",
    b"Aux",
    b"PRN.srt",
    b"COM1",
    b"lpt9.mkv",
    b"CON .mkv",
    b"prn ",
    b"nul.",
    "com\u00b9.mkv".encode(),
    "LPT\u00b2".encode(),
    b"CONIN$",
    b"conout$.mkv",
)
_REFUSED_PARTS = {
    Kind.TRAVERSAL: _UP,
    Kind.ABSOLUTE: _TOP,
    Kind.DRIVE: _DRIVES,
    Kind.CONTROL: _CONTROLS,
    Kind.LATE: _LATE,
    Kind.EMPTY: _NOTHING,
    Kind.LENGTH: _LONG,
    Kind.DEVICE: _DEVICES,
}
_HARMLESS_PARTS: dict[Kind, tuple[bytes, ...]] = {
    Kind.TRAVERSAL: (b"..film.mkv", b"film..mkv", b".hidden.mkv", b"film.mkv..", b"film.mkv ."),
    Kind.DRIVE: ("C\uff1aoutside.mkv".encode(), b"film: two.mkv"),
    Kind.CONTROL: (b"fi\x1b[2Jlm.mkv", b"fi\nlm.mkv", b"fi\x9blm.mkv"),
    Kind.LATE: (
        b"..\xc0\xaf..\xc0\xafoutside.mkv",
        b"..\xe0\x80\xafoutside.mkv",
        b"..\xf0\x80\x80\xafoutside.mkv",
        b"\xc0\xae\xc0\xae\xc0\xafoutside.mkv",
        b"..\xed\xb0\xafoutside.mkv",
        b"..%2f..%2foutside.mkv",
        b"%2e%2e%5coutside.mkv",
        b"..&#47;outside.mkv",
        b"..+AC8-outside.mkv",
        "..\uff0f..\uff0foutside.mkv".encode(),
        "..\uff3coutside.mkv".encode(),
        "..\u2215outside.mkv".encode(),
        "..\u2044outside.mkv".encode(),
    ),
    Kind.LENGTH: (b"x" * 255, "\u96fb".encode() * 85),
    Kind.DEVICE: (b"concert.mkv", b"com10.mkv", b"film.con", b"Con Air.mkv"),
    Kind.DIRECTION: (
        "film\u202egpj.mkv".encode(),
        "\u2066film\u2069.mkv".encode(),
        "\u200ffilm.mkv".encode(),
    ),
}


def _parts() -> Iterator[Vector]:
    """One bad part, as the name of one file, of a folder, and within it."""
    for kind, parts in _REFUSED_PARTS.items():
        for part in parts:
            shown = _shown(part)
            yield Vector(f"{shown} as a file", kind, single(part))
            yield Vector(f"{shown} as a folder", kind, several((b"outside.mkv",), name=part))
            yield Vector(f"{shown} inside", kind, several((b"ok", part, b"outside.mkv")))
    for kind, parts in _HARMLESS_PARTS.items():
        for part in parts:
            shown = _shown(part)
            yield Vector(f"{shown} as a file", kind, single(part), refused=False)
            yield Vector(f"{shown} inside", kind, several((b"ok", part)), refused=False)


def _shown(part: bytes) -> str:
    text = repr(part[:24])[2:-1]
    return f"{text} and more, {len(part)} bytes" if len(part) > 24 else text


def _paths() -> Iterator[Vector]:
    up, top = Kind.TRAVERSAL, Kind.ABSOLUTE
    yield Vector("up from the first part", up, several((b"..", b"outside.mkv")))
    yield Vector("up twice", up, several((b"..", b"..", b"outside.mkv")))
    yield Vector("down and up", up, several((b"a", b"..", b"..", b"outside.mkv")))
    yield Vector("up at the end", up, several((b"a", b"..")))
    yield Vector("only a point", up, several((b".",)))
    yield Vector("up in the second file", up, several((b"a.mkv",), (b"..", b"outside.mkv")))
    yield Vector("an empty part first", top, several((b"", b"etc", b"matinee")))
    yield Vector("a slash first", top, several((b"/", b"etc", b"matinee")))
    yield Vector("no parts at all", Kind.EMPTY, several(()))
    yield Vector("an empty part between", Kind.EMPTY, several((b"a", b"", b"b.mkv")))
    yield Vector("a drive, then folders", Kind.DRIVE, several((b"C:", b"Windows", b"x.dll")))
    deep = [b"%03d" % n + b"x" * 97 for n in range(60)]
    yield Vector("sixty long folders", Kind.LENGTH, several((*deep, b"film.mkv")))


def _twins() -> Iterator[Vector]:
    for name, first, second in (
        ("letter for letter", (b"film.mkv",), (b"film.mkv",)),
        ("in case", (b"film.mkv",), (b"FILM.mkv",)),
        ("in the case of a folder", (b"a", b"film.mkv"), (b"A", b"film.mkv")),
        ("in how an accent is spelt", ("\u00e9.mkv".encode(),), ("e\u0301.mkv".encode(),)),
        ("in how a syllable is spelt", ("\uac00".encode(),), ("\u1100\u1161".encode(),)),
        ("in a long s", ("stra\u00dfe.mkv".encode(),), (b"STRASSE.mkv",)),
        ("a file and a folder", (b"film",), (b"film", b"film.mkv")),
        ("a file and a folder, in case", (b"FILM",), (b"film", b"film.mkv")),
        ("in a point at the end", (b"film.mkv",), (b"film.mkv.",)),
        ("in a blank at the end", (b"film.mkv",), (b"film.mkv ",)),
        ("in a folder's point", (b"a", b"film.mkv"), (b"a.", b"film.mkv")),
        ("in a sign nobody sees", (b"film.mkv",), ("fi\u200clm.mkv".encode(),)),
        ("in a sign of direction", (b"film.mkv",), ("fi\u202elm.mkv".encode(),)),
    ):
        yield Vector(f"twins {name}", Kind.TWINS, several(first, second))
        if first != second:
            yield Vector(f"twins {name}, in version 2", Kind.TWINS, tree(first, second))


def _versions() -> Iterator[Vector]:
    for part in (b"..", b"a/b", b"/etc", b"C:", b"a\\b", b"\0", b"con.mkv", b"x" * 256, b"."):
        shown = _shown(part)
        yield Vector(f"{shown} in a tree", Kind.SECOND, tree((part, b"outside.mkv")))
        yield Vector(f"{shown} at the end of a tree", Kind.SECOND, tree((b"a", part)))
    yield Vector("a tree named ..", Kind.SECOND, tree((b"outside.mkv",), name=b".."))
    yield Vector("a tree that is one file", Kind.SECOND, tree((b"Show",)), refused=False)
    yield Vector("a tree of plain names", Kind.SECOND, tree((b"a", b"film.mkv")), refused=False)
    nested: object = {b"": leaf()}
    for _ in range(200):
        nested = {b"a": nested}
    floors: dict[bytes, object] = {
        b"name": b"Show",
        b"file tree": nested,
        b"meta version": 2,
        b"piece length": 16384,
    }
    yield Vector("a tree of two hundred floors", Kind.SECOND, info(floors))
    both = Kind.HYBRID
    yield Vector("another name in each", both, hybrid(b"film.mkv", b"other.mkv"))
    yield Vector("up in the first", both, hybrid(b"..", b"film.mkv"))
    yield Vector("up in the second", both, hybrid(b"film.mkv", b".."))
    yield Vector("another length in each", both, hybrid(b"film.mkv", b"film.mkv", length=9))
    yield Vector("another case in each", both, hybrid(b"film.mkv", b"FILM.mkv"))
    a, b, out = (b"a.mkv",), (b"b.mkv",), (b"..", b"outside.mkv")
    yield Vector("a pack, up in the first", both, hybrid_pack([a, out], [a, b]))
    yield Vector("a pack, up in the second", both, hybrid_pack([a, b], [a, out]))
    yield Vector("a pack with a file in one only", both, hybrid_pack([a, b], [a]))
    yield Vector("a pack in agreement", both, hybrid_pack([a, b], [a, b]), refused=False)


def _links_and_pads() -> Iterator[Vector]:
    plain = file(b"film.mkv")
    for goal in ([b"/", b"etc"], [b"..", b"..", b"outside"], [b"film.mkv"]):
        linked = {**file(b"a", attr=b"l", symlink_path=goal), b"length": 0}
        shown = b"/".join(goal).decode()
        yield Vector(f"a link to {shown}", Kind.LINK, entries(plain, linked))
        yield Vector(
            f"a link to {shown}, in version 2",
            Kind.LINK,
            tree((b"a",), attr=b"l", symlink_path=goal),
        )
    beside = entries(plain, file(b"b.mkv", symlink_path=[b"..", b"outside"]))
    yield Vector("a goal without being a link", Kind.LINK, beside, refused=False)
    pad = {b"length": 6, b"attr": b"p"}
    for path in ((b"..", b"outside"), (b"/etc/matinee",), (b"con",), (b"a\\b",), ()):
        shown = repr(b"/".join(path))[2:-1] or "nothing"
        padded = entries(plain, {**pad, b"path": list(path)}, file(b"b.mkv"))
        yield Vector(f"a pad named {shown}", Kind.PAD, padded)
    both = entries(plain, {**pad, b"path": [b"x"], b"attr": b"lp"}, file(b"b.mkv"))
    yield Vector("a pad that is a link", Kind.PAD, both)


def _spellings() -> Iterator[Vector]:
    kind, plain, up = Kind.SPELLINGS, {"name.utf-8": b"fine.mkv"}, {"name.utf-8": b".."}
    yield Vector("name bad, name.utf-8 fine", kind, single(b"..", **plain))
    yield Vector("name fine, name.utf-8 bad", kind, single(b"fine.mkv", **up))
    gbk = "\u7535\u5f71.mkv"
    told = {"name.utf-8": gbk.encode()}
    yield Vector("name in two encodings", kind, single(gbk.encode("gbk"), **told), refused=False)
    path = {"path.utf-8": [b"..", b"outside.mkv"]}
    yield Vector("path fine, path.utf-8 bad", kind, entries(file(b"fine.mkv", **path)))
    path = {"path.utf-8": [b"fine.mkv"]}
    yield Vector("path bad, path.utf-8 fine", kind, entries(file(b"..", b"x.mkv", **path)))
    yield Vector("two paths, both fine", kind, entries(file(b"b.mkv", **path)), refused=False)
    garbled = Kind.GARBLED
    yield Vector("the name twice", garbled, b"d4:name2:ok4:name2:..e")
    yield Vector("the name twice, bad first", garbled, b"d4:name2:..4:name2:oke")
    yield Vector("no name", garbled, info({b"length": 10, b"piece length": 16384}))
    yield Vector("a number as name", garbled, info({b"name": 7, b"length": 10}))
    yield Vector("a text as path", garbled, entries({b"length": 10, b"path": b"../x"}))
    yield Vector("a number in a path", garbled, entries({b"length": 10, b"path": [7]}))
