"""Calls to qBittorrent's Web API: signed in when it asks for that, each sent once.

https://github.com/qbittorrent/qBittorrent/wiki/WebUI-API-(qBittorrent-4.1)
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urlsplit

import anyio
import anyio.to_thread

from capabilities.adapters.downloader.breaker import Breaker
from capabilities.adapters.downloader.qbittorrent_answers import UnreadableError
from capabilities.adapters.forms import form_body
from capabilities.adapters.upstream import Answer, Upstream
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)

Understood = TypeVar("Understood")

_FAILS = b"Fails."
_STOP_SINCE = (2, 11)
_OLDEST = (2, 8, 14)
_VERSION = re.compile(r"v?[0-9]+(\.[0-9]+)+[0-9A-Za-z.+-]{0,20}")
_WRONG_PASSWORD_S = 1800.0
_BANNED_S = 600.0
_LARGE = 1 << 20
_NOT_SENT_AGAIN = (
    "nothing is sent with these for half an hour, for it bans whoever is wrong too often."
)
_MEANINGS = frozenset(
    {
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.CONFLICT,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    }
)


@dataclass(frozen=True, slots=True)
class Account:
    """Where the web interface is, and as whom it is entered.

    Attributes:
        user, password: both empty where it lets this machine in without.
    """

    address: str
    user: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Version:
    """Which qBittorrent it is: as it names itself, and its Web API's number."""

    name: str
    api: tuple[int, ...]

    @property
    def stop(self) -> str:
        """The word for stopping: version 5 renamed it."""
        return "stop" if self.api >= _STOP_SINCE else "pause"

    @property
    def start(self) -> str:
        """The word for starting."""
        return "start" if self.api >= _STOP_SINCE else "resume"


class WebSession:
    """One session at one qBittorrent.

    Every call raises UnreachableError, ThrottledError or DeclinedError where nothing was done, and
    `act` LostAnswerError where that is not known. Wrong credentials are not sent again for half an
    hour: qBittorrent bans whoever is wrong five times, and the owner may share the address.
    """

    def __init__(self, upstream: Upstream, account: Account, breaker: Breaker) -> None:
        """Prepare; nothing is sent yet."""
        self.system = upstream.system
        self.breaker = breaker
        self._upstream = upstream
        self._account = account
        self._cookie = ""
        self._version: Version | None = None
        self._signing_in = anyio.Lock()

    async def version(self) -> Version:
        """Which one it is; asked once a session.

        Raises:
            DeclinedError: it is too old.
        """
        if self._version is None:
            name = await self.read_as(self._text, "app/version")
            api = await self.read_as(self._text, "app/webapiVersion")
            numbers = tuple(int(part) for part in api.split(".") if part.isdigit())
            if numbers < _OLDEST:
                raise DeclinedError(
                    self.system, f"It is qBittorrent {name}, and 4.5 or later is needed."
                )
            self._version = Version(name, numbers)
        return self._version

    async def read(self, path: str, query: Mapping[str, str] | None = None) -> Answer:
        """Read something; statuses that mean something of their own are answers."""
        return await self.read_as(_as_it_is, path, query)

    async def read_as(
        self,
        understood: Callable[[Answer], Understood],
        path: str,
        query: Mapping[str, str] | None = None,
    ) -> Understood:
        """Read something that is no answer of qBittorrent's where ``understood`` raises."""
        address = self._address(path)

        async def ask() -> Answer:
            return await self._upstream.read(
                address, query=query, headers=self._headers(), once=True
            )

        return await self._asked(ask, understood)

    async def act(self, path: str, fields: Mapping[str, str], torrent: bytes = b"") -> Answer:
        """Change something; sent once, but for a session that ended before it was heard."""
        files = {"torrents": ("a.torrent", torrent)} if torrent else {}
        content, kind = form_body(fields, files)
        address = self._address(path)

        async def ask() -> Answer:
            return await self._upstream.send(address, content, kind, headers=self._headers())

        return await self._asked(ask, _as_it_is)

    async def _asked(
        self,
        ask: Callable[[], Awaitable[Answer]],
        understood: Callable[[Answer], Understood],
    ) -> Understood:
        self.breaker.check()
        try:
            cookie = self._cookie
            answer = await ask()
            if answer.status == HTTPStatus.FORBIDDEN:
                await self._sign_in(cookie)
                answer = await ask()
            self._judge(answer)
            self._keep_session(answer)
            told = await _read_through(understood, answer)
        except LostAnswerError:
            # Somebody has to look at once what came of it.
            raise
        except WorldFaultError as fault:
            raise self._failed(fault) from None
        self.breaker.worked()
        return told

    def _judge(self, answer: Answer) -> None:
        if answer.status == HTTPStatus.NOT_FOUND:
            # Another version calls it by another name.
            self._version = None
        if answer.ok or answer.status in _MEANINGS:
            return
        if answer.status == HTTPStatus.FORBIDDEN:
            sentence = "It lets nobody in without user and password, and none are set. Set them."
            if self._account.user:
                sentence = "It took user and password and refused the call all the same (HTTP 403)."
            raise DeclinedError(self.system, sentence)
        if answer.status == HTTPStatus.UNAUTHORIZED:
            raise _refused(self.system)
        raise UnreadableError(self.system)

    async def _sign_in(self, cookie: str) -> None:
        """Get a session, unless another call got one in the meantime."""
        async with self._signing_in:
            if self._cookie != cookie or not self._account.user:
                return
            self._cookie = ""
            fields = {"username": self._account.user, "password": self._account.password}
            content, kind = form_body(fields)
            try:
                answer = await self._upstream.send(
                    self._address("auth/login"), content, kind, headers=self._headers()
                )
            except LostAnswerError as fault:
                # What was to be done was not sent yet.
                raise UnreachableError(self.system, fault.sentence) from None
            self._judge_login(answer)
            self._keep_session(answer)
            # It may have been started anew, as another version.
            self._version = None

    def _keep_session(self, answer: Answer) -> None:
        """Whoever needs no password is given a session too, and a new one each time without it."""
        if not self._cookie and answer.ok:
            held = answer.headers.get_list("set-cookie")
            self._cookie = "; ".join(each.partition(";")[0] for each in held)

    def _judge_login(self, answer: Answer) -> None:
        if answer.status == HTTPStatus.FORBIDDEN:
            raise ThrottledError(
                self.system,
                "It has banned this machine's address, which it does after some wrong passwords."
                " Correct user and password, and wait (an hour, if its settings do not say"
                " otherwise) or start it again.",
                retry_after_s=_BANNED_S,
            )
        if answer.status == HTTPStatus.UNAUTHORIZED:
            # So do some versions for what others call "Fails."; it may count towards a ban.
            raise _WrongPasswordError(
                self.system,
                "It refused to let us in (HTTP 401): user or password are wrong, or it takes no"
                " requests under this address (its host header validation, or a proxy before it)."
                f" Correct them in the settings; {_NOT_SENT_AGAIN}",
            )
        if not answer.ok:
            raise UnreadableError(self.system)
        if answer.body.strip() == _FAILS:
            raise _WrongPasswordError(
                self.system,
                f"User or password are wrong. Correct them in the settings; {_NOT_SENT_AGAIN}",
            )

    def _failed(self, fault: WorldFaultError) -> WorldFaultError:
        pause = 0.0
        if isinstance(fault, _WrongPasswordError):
            pause = _WRONG_PASSWORD_S
        elif isinstance(fault, ThrottledError):
            pause = fault.retry_after_s or 0.0
        self.breaker.failed(fault, pause)
        return fault

    def _text(self, answer: Answer) -> str:
        """A version: ``v4.5.2``, or the API's ``2.8.19``."""
        text = answer.body.decode("utf-8", "replace").strip()
        if not answer.ok or not _VERSION.fullmatch(text):
            raise UnreadableError(self.system)
        return text

    def _address(self, path: str) -> str:
        return f"{self._account.address.rstrip('/')}/api/v2/{path}"

    def _headers(self) -> dict[str, str]:
        """Its guard against forged requests wants to see that they come from its own pages."""
        parts = urlsplit(self._account.address)
        origin = f"{parts.scheme}://{parts.netloc}"
        held = {"Referer": f"{origin}/", "Origin": origin}
        return held | ({"Cookie": self._cookie} if self._cookie else {})


async def _read_through(understood: Callable[[Answer], Understood], answer: Answer) -> Understood:
    """Read it, and let others go on meanwhile where that takes long."""
    if len(answer.body) < _LARGE:
        return understood(answer)
    return await anyio.to_thread.run_sync(understood, answer)


def _as_it_is(answer: Answer) -> Answer:
    return answer


class _WrongPasswordError(DeclinedError):
    """The credentials are wrong."""


def _refused(system: str) -> DeclinedError:
    return DeclinedError(
        system,
        "It refuses requests under this address (HTTP 401): its host header validation, a proxy"
        " before it, or user and password. Check address, user and password in the settings.",
    )
