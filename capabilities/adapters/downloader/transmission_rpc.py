"""Calls to Transmission's RPC: one address, JSON both ways, each call sent once.

https://github.com/transmission/transmission/blob/4.0.6/docs/rpc-spec.md
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, TypeVar

import httpx2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from capabilities.adapters.downloader.breaker import Breaker
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from capabilities.rules.outside_text import cleaned

PATH: Final = "/transmission/rpc"
_SESSION: Final = "X-Transmission-Session-Id"
_JSON: Final = "application/json"
_DONE: Final = "success"
_WRONG_PASSWORD_S: Final = 1800.0
_MISDIRECTED: Final = 421
# The list of all torrents is below a thousand bytes for each of maybe 20 000.
_MOST_BYTES: Final = 32 << 20


@dataclass(frozen=True, slots=True)
class Account:
    """Where Transmission's RPC is, and as whom it is asked.

    Attributes:
        address: with or without the path; without, it is the usual one.
        user, password: both empty where it lets this machine in without.
    """

    address: str
    user: str = ""
    password: str = field(default="", repr=False)


class Shape(BaseModel):
    """A part of an answer; what a version adds is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class Nothing(Shape):
    """Arguments of an answer that is only about whether it was done."""


class _Reply(Shape):
    result: str
    arguments: dict[str, object] = Field(default_factory=dict[str, object])


ShapeT = TypeVar("ShapeT", bound=Shape)


class TransmissionRpc:
    """Calls to one Transmission; its session id is renewed whenever it asks for that.

    Wrong credentials are not sent again for half an hour: after a hundred wrong ones Transmission
    lets nobody in until it is started anew.

    Attributes:
        session: the id that it gave last; another one may mean that it was started anew.
    """

    def __init__(self, system: str, outbound: Outbound, account: Account, breaker: Breaker) -> None:
        """Prepare; nothing is sent yet.

        Raises:
            DeclinedError: the address is no http or https address.
        """
        self.system = system
        self.session = ""
        self._upstream = outbound.neighbour(system, account.address, body_bytes=_MOST_BYTES)
        self._address = _full(account.address)
        self._breaker = breaker
        self._headers: dict[str, str] = {}
        if account.user or account.password:
            pair = f"{account.user}:{account.password}".encode()
            self._headers["Authorization"] = f"Basic {base64.b64encode(pair).decode('ascii')}"

    async def ask(
        self, method: str, arguments: Mapping[str, object], shape: type[ShapeT]
    ) -> ShapeT:
        """What changes nothing.

        Raises:
            UnreachableError: no answer, or none that can be read.
            ThrottledError: it, or a proxy before it, asked to slow down.
            DeclinedError: it refuses us or the question.
        """
        try:
            return await self.act(method, arguments, shape)
        except LostAnswerError as fault:
            raise UnreachableError(fault.system, fault.sentence) from None

    async def act(
        self, method: str, arguments: Mapping[str, object], shape: type[ShapeT]
    ) -> ShapeT:
        """Change something; sent again only where Transmission said that it did not look at it.

        Raises:
            UnreachableError, ThrottledError: nothing was sent, or nothing was done.
            DeclinedError: it refuses us, or said no; its own words are in the sentence.
            LostAnswerError: it was sent, and no answer came that can be read.
        """
        self._breaker.check()
        body = json.dumps({"method": method, "arguments": dict(arguments)}).encode()
        try:
            reply = self._read(await self._sent(body), _Reply)
        except WorldFaultError as fault:
            self._failed(fault)
            raise
        self._breaker.worked()
        if reply.result != _DONE:
            raise DeclinedError(self.system, f'It said: "{cleaned(reply.result)}".')
        return self._shaped(reply.arguments, shape)

    async def _sent(self, body: bytes) -> Answer:
        answer = await self._send(body)
        if answer.status == HTTPStatus.CONFLICT:
            self.session = answer.headers.get(_SESSION, "")
            answer = await self._send(body)
        self._refuse(answer)
        return answer

    async def _send(self, body: bytes) -> Answer:
        headers = {**self._headers, _SESSION: self.session}
        return await self._upstream.send(self._address, body, _JSON, headers=headers)

    def _refuse(self, answer: Answer) -> None:
        if answer.ok:
            return
        if answer.status == HTTPStatus.UNAUTHORIZED:
            raise _WrongPasswordError(
                self.system,
                "User or password are wrong. Correct them in the settings; nothing is sent with"
                " these for half an hour, for it shuts out whoever is wrong too often.",
            )
        if answer.status in {HTTPStatus.FORBIDDEN, _MISDIRECTED}:
            raise DeclinedError(
                self.system,
                f"It lets nobody in from here or under this name (HTTP {answer.status})."
                " Put this machine on its rpc-whitelist and the name in its address on its"
                " rpc-host-whitelist.",
            )
        raise DeclinedError(
            self.system,
            f"What answers under its address is not Transmission's RPC (HTTP {answer.status})."
            " Check its address in the settings.",
        )

    def _read(self, answer: Answer, shape: type[ShapeT]) -> ShapeT:
        try:
            return shape.model_validate_json(answer.body)
        except ValidationError:
            raise self._unreadable() from None

    def _shaped(self, arguments: dict[str, object], shape: type[ShapeT]) -> ShapeT:
        try:
            return shape.model_validate(arguments)
        except ValidationError:
            raise self._unreadable() from None

    def _unreadable(self) -> LostAnswerError:
        return LostAnswerError(
            self.system,
            "Its answer cannot be read. Check that its address in the settings is Transmission's.",
        )

    def _failed(self, fault: WorldFaultError) -> None:
        pause = 0.0
        if isinstance(fault, _WrongPasswordError):
            pause = _WRONG_PASSWORD_S
        elif isinstance(fault, ThrottledError):
            pause = fault.retry_after_s or 0.0
        elif isinstance(fault, LostAnswerError):
            # What was lost must not be told again of calls that were not sent.
            fault = UnreachableError(fault.system, fault.sentence)
        self._breaker.failed(fault, pause)


class _WrongPasswordError(DeclinedError):
    """The credentials are wrong."""


def _full(address: str) -> str:
    """The address with Transmission's usual path where it has none of its own."""
    url = httpx2.URL(address)
    path = url.path.rstrip("/")
    if path in {"", "/transmission", "/transmission/web"}:
        return str(url.copy_with(path=PATH))
    return address
