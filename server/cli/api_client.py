"""The terminal's way to the server: HTTP over the home's Unix socket."""

import json
import os
import shlex
import socket
import ssl
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

import httpx2

from server.cli.exits import EndError, Exit, exit_of
from server.cli.home import Home
from server.cli.terminal_words import at_terminal
from server.protocol.unix_address import AddressTooLongError, reachable

BASE = "http://localhost/api/v1"
KEY_VARIABLE = "MATINEE_KEY"
ADVICE = ("do", "how", "settings")
LONGEST_CALL_S = 60.0
CONNECT_S = 5.0

# Nothing speaks TLS on a Unix socket, and loading the system's authorities takes 100 ms.
_NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

Json = dict[str, Any]
Query = Mapping[str, str | int | float | list[str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call came to: ``succeeded``, ``pending`` or ``unknown``; the others are raised."""

    outcome: str
    sentence: str
    data: Json

    @property
    def status(self) -> Exit:
        """The exit status of a command that made this one call."""
        return Exit.UNKNOWN if self.outcome == "unknown" else Exit.DONE


class Api:
    """The server's HTTP API, as `key:local` until somebody signs in.

    Every method raises `EndError`: the server's refusal with its own code, a server that does not
    answer as failed, and an act whose answer was lost as unknown.
    """

    def __init__(self, client: httpx2.Client) -> None:
        """Take a client whose base address is the API."""
        self._client = client

    def get(self, path: str, query: Query | None = None) -> Json:
        """Read something."""
        return self._asked("GET", path, query=query)

    def post(self, path: str, body: object = None, *, key: str | None = None) -> Json:
        """Do something; ``key`` makes repeats of it the same act."""
        return self._asked("POST", path, body=body, key=key)

    def delete(self, path: str) -> Json:
        """Take something away."""
        return self._asked("DELETE", path)

    def fetch(self, path: str, query: Query | None = None) -> bytes:
        """Read something that is no JSON."""
        return self._sent("GET", path, query=query).content

    def put(self, path: str, body: object) -> Json:
        """Set something."""
        return self._asked("PUT", path, body=body)

    def call(self, path: str, body: object = None, *, key: str | None = None) -> Answer:
        """Post what is answered as a call."""
        return Answer(**self.post(path, body, key=key))

    def invoke(
        self, capability: str, arguments: Mapping[str, object], *, key: str | None = None
    ) -> Answer:
        """Call a capability."""
        return self.call(f"/capabilities/{capability}/invoke", dict(arguments), key=key)

    def sign_in(self, passphrase: str) -> None:
        """Go on as the owner, until this client is closed or has signed out."""
        self.post("/session", {"passphrase": passphrase})

    def sign_out(self) -> None:
        """End the owner's session, if there is one; nobody else holds its token."""
        if self._client.cookies:
            with suppress(EndError):
                self.delete("/session")
            self._client.cookies.clear()

    def _asked(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: object = None,
        key: str | None = None,
    ) -> Json:
        return _document(self._sent(method, path, query=query, body=body, key=key))

    def _sent(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: object = None,
        key: str | None = None,
    ) -> httpx2.Response:
        headers = {} if key is None else {"Idempotency-Key": key}
        try:
            response = self._client.request(method, path, params=query, json=body, headers=headers)
        except httpx2.ConnectError as fault:
            raise _not_there() from fault
        except httpx2.TransportError as fault:
            raise _lost(method) from fault
        if response.is_success:
            return response
        raise _problem(response)


def answers(home: Home) -> bool:
    """Whether a server listens for this home's commands."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock:
        try:
            with reachable(home.api_socket) as address:
                knock.connect(address)
        except (OSError, AddressTooLongError):
            return False
    return True


@contextmanager
def connected(home: Home) -> Generator[Api]:
    """The API of the server that runs for ``home``.

    Raises:
        EndError: none does.
    """
    if not answers(home):
        raise _not_there()
    with reachable(home.api_socket) as address, _client(address) as client:
        api = Api(client)
        try:
            yield api
        finally:
            api.sign_out()


def _client(address: str) -> httpx2.Client:
    key = os.environ.get(KEY_VARIABLE)
    return httpx2.Client(
        base_url=BASE,
        transport=httpx2.HTTPTransport(uds=address, verify=_NO_AUTHORITIES),
        headers={} if not key else {"Authorization": f"Bearer {key}"},
        timeout=httpx2.Timeout(LONGEST_CALL_S, connect=CONNECT_S),
        trust_env=False,
    )


def _document(response: httpx2.Response) -> Json:
    if response.status_code == HTTPStatus.NO_CONTENT:
        return {}
    return cast("Json", response.json())


def _problem(response: httpx2.Response) -> EndError:
    try:
        problem = _document(response)
    except ValueError:
        problem = {}
    code = str(problem.get("code", "internal"))
    status = exit_of(code)
    needs: Json = problem.get("needs") or {}
    if response.status_code == HTTPStatus.UNAUTHORIZED or "approval" in needs:
        status = Exit.NEEDS_YOU  # whatever the code: the owner was asked, and can allow it
    return EndError(
        status,
        at_terminal(
            str(problem.get("detail", f"The server answered with status {response.status_code}."))
        ),
        code=code,
        hint=_hint(problem),
        details={name: problem.get(name) for name in ("needs", "retry", "details")},
    )


def _hint(problem: Json) -> str:
    """What would help: a failure says it itself, a refusal among what it needs."""
    needs: Json = problem.get("needs") or {}
    if "example" in needs:
        return f"For example: {shlex.quote(_typed(needs['example']))}"
    told = (problem.get("hint"), *(needs.get(name) for name in ADVICE))
    return at_terminal(next((words for words in told if isinstance(words, str) and words), ""))


def _typed(example: object) -> str:
    """As a person types it: what is JSON already is not quoted a second time."""
    return example if isinstance(example, str) else json.dumps(example, ensure_ascii=False)


def _not_there() -> EndError:
    return EndError(
        Exit.FAILED,
        "Matinee's server does not answer. `matinee doctor` looks for the cause.",
        code="unavailable",
    )


def _lost(method: str) -> EndError:
    if method == "GET":
        return EndError(
            Exit.FAILED, "The server's answer was cut off. Ask again.", code="unavailable"
        )
    return EndError(
        Exit.UNKNOWN,
        "The server's answer was cut off, so whether it happened is not known. "
        "`matinee status` shows what the ledger knows.",
        code="unknown_outcome",
    )
