"""A text made plain once, before anything is read: one width, one form, nothing invisible."""

import re
import unicodedata
from typing import Final
from urllib.parse import unquote_plus

_INVISIBLE: Final = re.compile(
    r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_PLUSSED: Final = re.compile(r"[^+ .]+(?:\+[^+ .]+){2,}")
"""Words parted by plus signs, as in a query."""
_POSTED: Final = re.compile(
    r"(?<=\S)(\.(?:mkv|mp4|avi|ts))(?:\.(?:par2|rar|nzb|nfo|sfv))?"
    r"[. ](?:-[. ]|\[\d+/\d+\]).*"
)
"""What Usenet subjects say behind a file's name: which part of the post it is."""
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_FULL_WIDTH: Final = {
    code: code - 0xFEE0
    for code in range(0xFF01, 0xFF5F)
    if chr(code - 0xFEE0).isalnum() or chr(code - 0xFEE0) in "#%&'*+./:!?=_"
}
"""Full-width letters, digits and marks; brackets, bars and commas are known in their own width."""
_BLANKS: Final = dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2009\u200a\u202f\u3000"), " ")


def cleaned(text: str) -> str:
    """The text as it is read.

    Control characters become blanks; zero-width and direction marks go; full-width letters and
    digits become ordinary ones; a name quoted for an address is read as it was; letters with marks
    of their own are put together (NFC); a Usenet subject ends with the name of its file.
    """
    if "%20" in text or _PLUSSED.fullmatch(text):
        text = unquote_plus(text)
    text = _POSTED.sub(r"\1", text)
    if text.isascii():
        return text if text.isprintable() else _CONTROLS.sub(" ", text)
    visible = _INVISIBLE.sub("", _CONTROLS.sub(" ", text))
    plain = visible.translate(_FULL_WIDTH).translate(_BLANKS)
    return unicodedata.normalize("NFC", plain)
