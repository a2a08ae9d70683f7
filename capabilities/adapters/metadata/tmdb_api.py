"""Questions to TMDB: its credential, and the language that every one of them asks for."""

import re
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, TypeVar

from capabilities.adapters.metadata.answer_cache import Topic, Validity
from capabilities.adapters.metadata.http_source import HttpSource, Service
from capabilities.adapters.metadata.outside_answer import OutsideAnswer
from capabilities.adapters.metadata.request_limit import Rate
from capabilities.adapters.metadata.tmdb_answers import Complaint
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError

SYSTEM: Final = "TMDB"
RATE: Final = Rate(questions=40, within_s=1.0, at_once=8)
"""https://developer.themoviedb.org/docs/rate-limiting: "in the 40 requests per second range"."""
_VERSION_3_KEY = re.compile(r"[0-9a-fA-F]{32}")
_REFUSED: Final = (
    "It does not accept the API key, so nothing was looked up. "
    "Enter a valid key or access token in the settings."
)
_SERVICE: Final = Service(
    SYSTEM,
    RATE,
    Complaint,
    refusals={HTTPStatus.UNAUTHORIZED: _REFUSED, HTTPStatus.FORBIDDEN: _REFUSED},
)

A = TypeVar("A", bound=OutsideAnswer)


class TmdbApi:
    """The API at one address under one credential."""

    def __init__(
        self,
        outbound: Outbound,
        credential: str,
        *,
        address: str,
        language: str,
        validity: Validity | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Choose how to present the credential.

        Args:
            outbound: what carries the requests.
            credential: a version 3 API key (32 hexadecimal digits), else a version 4 access token.
            address: up to and including the version, e.g. ``https://api.themoviedb.org/3``.
            language: the tag that every question asks for.
            validity: how long answers stand.
            clock: monotonic seconds.

        Raises:
            DeclinedError: the address or the credential cannot be one.
        """
        credential = credential.strip()
        if not (credential.isascii() and credential.isprintable() and credential):
            raise DeclinedError(SYSTEM, _REFUSED)
        by_key = _VERSION_3_KEY.fullmatch(credential) is not None
        self._headers = {} if by_key else {"Authorization": f"Bearer {credential}"}
        secret = {"api_key": credential} if by_key else {}
        self._added = {"language": language, **secret}
        self._asked = HttpSource(
            _SERVICE, outbound, address=address, validity=validity, clock=clock
        )

    async def ask(
        self, path: str, query: Mapping[str, str], shape: type[A], topic: Topic
    ) -> A | None:
        """The answer under a path such as ``/movie/45745``; None when TMDB knows no such thing.

        Raises:
            DeclinedError: TMDB refuses the credential or the question.
            UnreachableError: no answer, or none that can be read.
            ThrottledError: TMDB asked to slow down.
        """
        return await self._asked.get(
            path, query, shape, topic, added=self._added, headers=self._headers
        )
