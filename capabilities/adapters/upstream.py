"""One outside system over HTTP: bounded reads, told apart from one another by how they fail."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus

import anyio
import httpx2

from capabilities.adapters.address_guard import RefusedAddressError
from capabilities.adapters.http_trouble import named_location, reason_of, was_sent
from capabilities.adapters.retry_after import retry_after_s
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
)

_MAX_REDIRECTS = 3


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one read may cost at most, and when it is tried again.

    Attributes:
        connect_s: seconds to a connection.
        read_s: seconds between two pieces of an answer.
        total_s: seconds for the whole read, retries and pauses included.
        body_bytes: size of an answer's body after decompression.
        pauses_s: seconds before each further attempt; their number is the number of retries.
        longest_pause_s: a server that asks for more than this is not waited for.
    """

    connect_s: float = 5.0
    read_s: float = 20.0
    total_s: float = 60.0
    body_bytes: int = 8 * 1024 * 1024
    pauses_s: tuple[float, ...] = (0.5, 2.0)
    longest_pause_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How time passes: a pause in seconds, and the present moment with its zone."""

    wait: Callable[[float], Awaitable[None]]
    now: Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete answer below 500, the status 429 excepted.

    Attributes:
        location: for a redirect, the address it names, made absolute where it was relative.
        body: the decompressed body; empty for a redirect.
        etag: what names this state of the answer (RFC 9110, section 8.8.3), where it has one.
        headers: all of them, whose names have no case; they can hold keys.
    """

    status: int
    body: bytes
    location: str | None = None
    etag: str | None = None
    headers: httpx2.Headers = field(default_factory=httpx2.Headers, repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Whether the system did what was asked (status 2xx)."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    url: httpx2.URL
    headers: Mapping[str, str]
    content: bytes | None = None
    acts: bool = False


class Upstream:
    """Reads from one outside system; made by `Outbound`.

    Faults never carry an address or a header, because both carry keys.
    """

    def __init__(
        self,
        system: str,
        client: httpx2.AsyncClient,
        bounds: Bounds,
        pace: Pace,
        *,
        origin: httpx2.Origin | None,
        shut: str = "",
    ) -> None:
        """Bind a client to a system's name; with an origin, to that origin alone.

        With a sentence in ``shut``, nothing is sent and every read is refused with it.
        """
        self.system = system
        self._client = client
        self._bounds = bounds
        self._pace = pace
        self._origin = origin
        self._shut = shut

    def reaches(self, address: str) -> bool:
        """Whether this way leads to the address; what lies beyond may still be refused there."""
        try:
            url = httpx2.URL(address)
        except httpx2.InvalidURL:
            return False
        if url.scheme not in {"http", "https"} or not url.host:
            return False
        return self._origin is None or url.origin == self._origin

    async def get(
        self,
        address: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Read an address, following at most three redirects, each checked like the first.

        Args:
            address: absolute; `query` is merged into the query it has.
            query: parameters of the first request; a redirect brings its own.
            headers: sent with every request of this read.

        Raises:
            DeclinedError: the address, or a redirect, leads out of reach.
            UnreachableError: not reached, no full answer in time, a server error, too large.
            ThrottledError: the system asked to slow down.
        """
        answer = await self.read(address, query=query, headers=headers)
        for _ in range(_MAX_REDIRECTS):
            if answer.location is None:
                return answer
            answer = await self.read(answer.location, headers=headers)
        if answer.location is None:
            return answer
        raise DeclinedError(
            self.system,
            "It redirects again and again instead of answering. Check its address in the settings.",
        )

    async def read(
        self,
        address: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        once: bool = False,
    ) -> Answer:
        """Like `get`, but a redirect is returned as it came, for the caller to judge.

        With ``once`` it is not tried again, for callers with a pace of their own.
        """
        url = self._within_reach(address).copy_merge_params(query or {})
        return await self._bounded(_Request("GET", url, headers or {}), once=once)

    async def send(
        self,
        address: str,
        content: bytes,
        kind: str,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """POST what may change something there: once, never tried again.

        A redirect is returned as it came.

        Args:
            address: absolute.
            content: the body.
            kind: its media type.
            headers: sent with it.

        Raises:
            DeclinedError: the address leads out of reach.
            UnreachableError: there was no connection, so nothing was sent.
            ThrottledError: the system asked to slow down.
            LostAnswerError: it was sent, and no complete answer came, or a server error.
        """
        held = {"Content-Type": kind, **(headers or {})}
        request = _Request("POST", self._within_reach(address), held, content, acts=True)
        return await self._bounded(request, once=True)

    async def post_query(
        self, address: str, body: bytes, *, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Read what takes its question as a JSON body, such as GraphQL.

        The question must change nothing there: it is tried again like any read. A redirect is
        returned as it came; ``headers`` are sent with every attempt.

        Raises:
            DeclinedError: the address leads out of reach.
            UnreachableError: not reached, no full answer in time, a server error, too large.
            ThrottledError: the system asked to slow down.
        """
        kind = {"Content-Type": "application/json", "Accept": "application/json"}
        held = {**kind, **(headers or {})}
        return await self._bounded(_Request("POST", self._within_reach(address), held, body))

    def _within_reach(self, address: str) -> httpx2.URL:
        if self._shut:
            raise UnreachableError(self.system, self._shut)
        if self.reaches(address):
            return httpx2.URL(address)
        raise DeclinedError(
            self.system,
            "It leads to an address outside of its own, which is not followed. "
            "If it has moved, change its address in the settings.",
        )

    async def _bounded(self, request: _Request, *, once: bool = False) -> Answer:
        answer = None
        fault = LostAnswerError if request.acts else UnreachableError
        with anyio.move_on_after(self._bounds.total_s):
            answer = await (self._exchange(request) if once else self._persist(request))
        if answer is None:
            raise fault(
                self.system,
                f"No complete answer came within {self._bounds.total_s:g} s.",
            )
        if len(answer.body) > self._bounds.body_bytes:
            raise fault(
                self.system,
                "Its answer was far larger than expected and was thrown away. "
                "Check that its address in the settings is the right one.",
            )
        return answer

    async def _persist(self, request: _Request) -> Answer:
        for pause in self._bounds.pauses_s:
            try:
                return await self._exchange(request)
            except ThrottledError as fault:
                asked = pause if fault.retry_after_s is None else fault.retry_after_s
                if asked > self._bounds.longest_pause_s:
                    raise
            except UnreachableError:
                asked = pause
            await self._pace.wait(asked)
        return await self._exchange(request)

    async def _exchange(self, request: _Request) -> Answer:
        try:
            async with self._client.stream(
                request.method, request.url, headers=request.headers, content=request.content
            ) as response:
                self._refuse_server_trouble(response, acts=request.acts)
                location = named_location(response)
                body = b"" if location else await self._collect(response)
        except RefusedAddressError:
            raise DeclinedError(
                self.system,
                "It leads to an address that is not on the public internet, "
                "so nothing was fetched from there.",
            ) from None
        except httpx2.HTTPError as error:
            lost = request.acts and was_sent(error)
            fault = LostAnswerError if lost else UnreachableError
            # The cause is dropped: its text can hold a header, and headers hold keys.
            raise fault(self.system, reason_of(error)) from None
        headers = response.headers
        return Answer(response.status_code, body, location, headers.get("ETag"), headers)

    def _refuse_server_trouble(self, response: httpx2.Response, *, acts: bool) -> None:
        status = response.status_code
        pause = retry_after_s(response.headers.get("Retry-After"), self._pace.now())
        asks_to_wait = status == HTTPStatus.SERVICE_UNAVAILABLE and pause is not None
        if status == HTTPStatus.TOO_MANY_REQUESTS or asks_to_wait:
            raise ThrottledError(
                self.system,
                "It asked to be called less often.",
                retry_after_s=pause,
            )
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            fault = LostAnswerError if acts else UnreachableError
            raise fault(self.system, f"It answered with HTTP {status}, an error of its own.")

    async def _collect(self, response: httpx2.Response) -> bytes:
        """The body, or its beginning when it is over the bound: enough to see that it is."""
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > self._bounds.body_bytes:
                break
        return bytes(body)
