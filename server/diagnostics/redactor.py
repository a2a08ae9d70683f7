"""The one place that makes text fit to leave the house.

Taken out are the secrets that the house knows, whatever looks like one (keys in addresses, bearer
tokens, cookies, passkeys in announce addresses, our own keys, one-time codes), the folders that
tell who lives here, and titles where none are wanted.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from capabilities.adapters.redaction import redacted
from server.guard.guard import COOKIE
from server.guard.keys import KEY_PREFIX
from server.guard.setup_code import PRINTED

HIDDEN = "***"
TITLE = "(title)"
SHORTEST_TITLE = 4
_SHORT = 6

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s\"'<>\\`|{}]+", re.IGNORECASE)
_ANNOUNCE = re.compile(r"^([a-z0-9+.-]+://[^/?#]+)/.*?(announce|scrape)\b.*$", re.IGNORECASE)
_TELLING = (
    r"authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[_-]?key|apikey|passkey"
    r"|torrent_pass|authkey|access_token|refresh_token|token|secret|password|passphrase"
)
_NAMED = re.compile(
    rf"(?P<name>(?<![a-z])(?:{_TELLING})[\"']?\s*[:=]\s*[\"']?)(?P<scheme>(?:bearer|basic)\s+)?"
    r"(?P<value>[^\s\"',;&})\]]+)",
    re.IGNORECASE,
)
_TELLING_NAME = re.compile(_TELLING, re.IGNORECASE)
_BEARER = re.compile(r"\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}", re.IGNORECASE)
_OWN_KEY = re.compile(rf"{re.escape(KEY_PREFIX)}[A-Za-z0-9_-]{{20,}}")
_SESSION = re.compile(rf"{re.escape(COOKIE)}=[^\s;\"',]+")


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders and the words that stand for them; the innermost wins."""

    words: Mapping[Path, str]

    def without(self, text: str) -> str:
        """The text with every folder's path replaced by its word."""
        for path in sorted(self.words, key=lambda each: len(str(each)), reverse=True):
            if len(path.parts) > 1:
                text = re.sub(rf"{re.escape(str(path))}(?=$|[^\w.-])", self.words[path], text)
        return text


@dataclass(frozen=True, slots=True)
class Redactor:
    """Makes texts and documents fit to leave.

    Attributes:
        folders: what is called by a word instead of its path.
        titles: words to hide as titles; those of fewer than four letters are left alone.
    """

    secrets: Iterable[str] = field(default=(), repr=False)
    folders: Folders = field(default_factory=lambda: Folders({}))
    titles: Sequence[str] = ()
    _known: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Compile what is known once."""
        object.__setattr__(self, "_known", _pattern(self.secrets))

    def text(self, text: str) -> str:
        """A text without what must not leave."""
        if self._known is not None:
            text = self._known.sub(HIDDEN, text)
        text = _ADDRESS.sub(_address, text)
        text = _SESSION.sub(f"{COOKIE}={HIDDEN}", text)
        text = _NAMED.sub(_value, text)
        text = _BEARER.sub(rf"\1 {HIDDEN}", text)
        text = PRINTED.sub(HIDDEN, text)
        text = self.folders.without(_OWN_KEY.sub(HIDDEN, text))
        for title in self.titles:
            if len(title) >= SHORTEST_TITLE:
                text = text.replace(title, TITLE)
        return text

    def document(self, value: object) -> Any:
        """A JSON-ready document without what must not leave, in names and in values."""
        match value:
            case str():
                return self.text(value)
            case dict():
                held = cast("dict[str, object]", value)
                return {self.text(str(name)): self._entry(str(name), held[name]) for name in held}
            case list() | tuple():
                return [self.document(each) for each in cast("Sequence[object]", value)]
            case _:
                return value

    def _entry(self, name: str, value: object) -> Any:
        if isinstance(value, str) and value and _TELLING_NAME.fullmatch(name):
            return HIDDEN
        return self.document(value)


def _pattern(secrets: Iterable[str]) -> re.Pattern[str] | None:
    """Every spelling of every secret, the longest first; short ones only as whole words."""
    spelled = {form for secret in secrets if secret for form in (secret, quote(secret, safe=""))}
    if not spelled:
        return None
    parts = [_literal(form) for form in sorted(spelled, key=len, reverse=True)]
    return re.compile("|".join(parts))


def _literal(secret: str) -> str:
    literal = re.escape(secret)
    return literal if len(secret) >= _SHORT else rf"(?<![A-Za-z0-9]){literal}(?![A-Za-z0-9])"


def _address(found: re.Match[str]) -> str:
    announce = _ANNOUNCE.match(found[0])
    if announce is not None:
        return f"{announce[1]}/{HIDDEN}/{announce[2]}"
    host, _, rest = found[0].partition("://")
    names, at, behind = rest.partition("@")
    bare = f"{host}://{behind}" if at and "/" not in names else found[0]
    fit = redacted(bare)
    return fit if bare.endswith("/") else fit.removesuffix("/")


def _value(found: re.Match[str]) -> str:
    return f"{found['name']}{found['scheme'] or ''}{HIDDEN}"
