"""Questions to TMDB: credential, language, refusals, and answers kept for a while."""

import re
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TypeVar, cast

from pydantic import ValidationError

from capabilities.adapters.metadata.answer_cache import AnswerCache, Validity
from capabilities.adapters.metadata.tmdb_answers import Complaint, TmdbAnswer
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import DeclinedError, UnreachableError

_SYSTEM = "TMDB"
_VERSION_3_KEY = re.compile(r"[0-9a-fA-F]{32}")

A = TypeVar("A", bound=TmdbAnswer)


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
            raise _refused_credential()
        by_key = _VERSION_3_KEY.fullmatch(credential) is not None
        self._headers = {} if by_key else {"Authorization": f"Bearer {credential}"}
        self._secret_query = {"api_key": credential} if by_key else {}
        self._address = address.rstrip("/")
        self._upstream = outbound.neighbour(_SYSTEM, address)
        self._language = language
        self._cache: AnswerCache[TmdbAnswer | _Nothing] = AnswerCache(clock, validity or Validity())

    async def ask(self, path: str, query: Mapping[str, str], shape: type[A]) -> A | None:
        """The answer under a path such as ``/movie/45745``; None when TMDB knows no such thing.

        Raises:
            DeclinedError: TMDB refuses the credential or the question.
            UnreachableError: no answer, or none that can be read.
            ThrottledError: TMDB asked to slow down.
        """
        key = (path, *sorted(query.items()))
        answer = await self._cache.remembered(
            key, lambda: self._fetch(path, query, shape), nothing=lambda kept: kept.says_nothing
        )
        return None if isinstance(answer, _Nothing) else cast("A", answer)

    async def _fetch(self, path: str, query: Mapping[str, str], shape: type[A]) -> "A | _Nothing":
        answer = await self._upstream.get(
            self._address + path,
            query={"language": self._language, **query, **self._secret_query},
            headers=self._headers,
        )
        if answer.ok:
            return _read(answer, shape)
        if answer.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise _refused_credential()
        _read(answer, Complaint)
        if answer.status == HTTPStatus.NOT_FOUND:
            return _Nothing()
        raise DeclinedError(_SYSTEM, f"It refused the question with HTTP {answer.status}.")


class _Nothing(TmdbAnswer):
    """TMDB knows no such thing."""

    @property
    def says_nothing(self) -> bool:
        return True


def _read(answer: Answer, shape: type[A]) -> A:
    try:
        return shape.model_validate_json(answer.body)
    except ValidationError:
        raise UnreachableError(
            _SYSTEM,
            "What came back is no answer of TMDB. Check the address in the settings and whether "
            "a sign-in page stands in between.",
        ) from None


def _refused_credential() -> DeclinedError:
    return DeclinedError(
        _SYSTEM,
        "It does not accept the API key, so nothing was looked up. "
        "Enter a valid key or access token in the settings.",
    )
