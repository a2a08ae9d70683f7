"""File names that a finished download must not bring onto a shelf unasked.

Judged by name alone, before a byte is written: what a computer would run, and what claims to be
something else than it is.
"""

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.names.tables.rows import word_set
from capabilities.rules.names.tokens import words
from capabilities.rules.names.vocabulary import Container

PROGRAMS: Final = word_set(
    "exe com scr msi msix msixbundle msp mst appx cpl dll sys drv ocx pif gadget application app"
    " apk xapk ipa dmg pkg deb rpm jar jnlp iqy xll vhd vhdx img hta chm"
)
SCRIPTS: Final = word_set(
    "bat cmd ps1 psm1 psd1 ps1xml vb vbs vbe js jse mjs ws wsf wsh wsc sct sh bash zsh csh ksh"
    " command py pyc pyw pl rb php lua reg inf scf ahk au3 applescript scpt workflow docm xlsm pptm"
)
SHORTCUTS: Final = word_set("lnk desktop library-ms search-ms url webloc website appref-ms")
ARCHIVES: Final = word_set(
    "rar zip 7z tar gz tgz bz2 tbz xz txz zst lz lz4 cab ace arj lzh lha zipx z alz egg sit wim"
)
TRAP_ARCHIVES: Final = word_set("zipx arj lzh lha ace alz egg")
"""Formats that no release uses, and that malware uses because scanners open them rarely."""
MEDIA: Final = frozenset(container.value for container in Container) | word_set(
    "srt ass ssa sub idx sup vtt nfo jpg jpeg png"
)
_QUIET_SHORTCUTS: Final = word_set("url webloc website")
"""Links to web pages, which repost sites put beside everything."""
_PASSWORD_WORDS: Final = word_set("password passwd passwort pass pwd 密码 密碼 解压密码 encrypted")
_TURNING: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Signs that change the direction of writing, so that ``gpj.exe`` is shown as ``exe.jpg``."""


def danger(path: str) -> str | None:
    """Why a file of this name is dangerous, as a sentence; None where the name gives no reason.

    Args:
        path: relative to the download, parted by ``/``.
    """
    parts = path.replace("\\", "/").split("/")
    if path.startswith(("/", "\\")) or ".." in parts:
        return "its path leads out of the download folder"
    if any(sign in _TURNING for sign in path):
        return "its name hides signs that turn the direction of writing, which disguise a suffix"
    if any(unicodedata.category(sign) == "Cc" for sign in path):
        return "its name holds control signs"
    if _is_of_a_disc(parts):
        return None
    return _by_suffix(parts[-1])


def _is_of_a_disc(parts: Sequence[str]) -> bool:
    """Whether it is a Blu-ray disc's own: a program of its menu, or the index of its keys.

    Only a player runs or reads either. Source: the folders of the Blu-ray Disc Association's white
    papers on BD-J and AACS.
    """
    *above, folder, file = ["", "", *(part.upper() for part in parts)]
    if folder == "JAR" and "BDMV" in above:
        return bool(_MENU.fullmatch(file))
    return file == "UNIT_KEY_RO.INF" and "AACS" in {folder, *above[-1:]}


def _by_suffix(file: str) -> str | None:
    suffixes = _suffixes(file)
    last = suffixes[-1] if suffixes else ""
    claimed = next((one for one in suffixes[:-1] if one in MEDIA), None)
    for kind, members in _KINDS:
        if last in members:
            return f"it claims to be a .{claimed} and is {kind}" if claimed else f"it is {kind}"
    if last in _QUIET_SHORTCUTS and claimed:
        return f"it claims to be a .{claimed} and is a shortcut"
    if last in ARCHIVES:
        return _archive(file, last, claimed)
    return None


_KINDS: Final = (
    ("a program", PROGRAMS),
    ("a script", SCRIPTS),
    ("a shortcut", SHORTCUTS - _QUIET_SHORTCUTS),
)


def _suffixes(file: str) -> list[str]:
    """All suffixes in lower case; blanks and dots at the end, which Windows drops, do not count."""
    plain = unicodedata.normalize("NFKC", file).rstrip(" .")
    return [suffix.strip().lower() for suffix in plain.split(".")[1:]]


def _archive(file: str, last: str, claimed: str | None) -> str | None:
    if claimed in _VIDEOS:
        return f"it claims to be a .{claimed} video and is an archive"
    if last in TRAP_ARCHIVES:
        return f"it is a .{last} archive, a format that releases do not use"
    if not _PASSWORD_WORDS.isdisjoint(words(PurePosixPath(file).stem)):
        return "it is an archive that says it needs a password"
    return None


_MENU: Final = re.compile(r"\d{5}\.JAR", re.ASCII)
_VIDEOS: Final = frozenset(container.value for container in Container)
