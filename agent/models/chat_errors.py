"""What the SDK raises, said in the words of the port.

Order matters: a request that is too long is recognised before anything is called retryable, since
several servers answer it with a status that otherwise means "later".
"""

import re
from typing import cast

from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError

from agent.models.port import (
    ContextOverflowError,
    CredentialRefusedError,
    RequestRefusedError,
    UpstreamFaultError,
    UpstreamUnavailableError,
)
from agent.models.retry import retry_after_s

_OVERFLOW_CODES = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "request_too_large"}
)
_OVERFLOW_WORDS = re.compile(
    r"context[ _](length|window|size)|maximum (prompt|input) length|maximum allowed input length"
    r"|(prompt|input) is too long|prompt too long|input token count|too many tokens"
    r"|reduce the length|token limit|exceeds the limit of \d",
    re.IGNORECASE,
)
_ACCOUNT_CODES = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "insufficient_balance"}
)
_PAYMENT_REQUIRED, _TOO_LARGE, _TOO_MANY = 402, 413, 429
_NOT_FOUND, _SERVER_SIDE = 404, 500
_CREDENTIAL = frozenset({401, 403})
_MESSAGE_CHARS = 1000
_PASSING = frozenset({408, 409, 425, _TOO_MANY})


def fault_of(error: APIError, upstream: str) -> UpstreamFaultError:
    """The fault that an error of the SDK means; `upstream` is the owner's name for it."""
    if isinstance(error, APIConnectionError):
        late = isinstance(error, APITimeoutError)
        what = "did not answer in time" if late else "could not be reached, or hung up"
        return UpstreamUnavailableError(f"{upstream} {what}.")
    status = _status(error)
    if _is_overflow(error, status):
        return ContextOverflowError(f"The conversation is longer than {upstream} takes.")
    if advice := _owners_part(error, status):
        return CredentialRefusedError(f"{upstream} refuses: {advice}")
    if status is None or status in _PASSING or status >= _SERVER_SIDE:
        return _unavailable(error, status, upstream)
    return _refused(error, status, upstream)


def _owners_part(error: APIError, status: int | None) -> str | None:
    """What only the owner can mend, or None."""
    if status == _PAYMENT_REQUIRED or _words(error) & _ACCOUNT_CODES:
        return "the account has no credit left. Top it up, or choose another upstream."
    if status in _CREDENTIAL:
        return "the credential is not accepted. Check the key, or sign in again."
    return None


def _unavailable(error: APIError, status: int | None, upstream: str) -> UpstreamUnavailableError:
    pause = retry_after_s(error.response.headers) if isinstance(error, APIStatusError) else None
    if status == _TOO_MANY:
        sentence = f"{upstream} asks to slow down: too many requests or tokens in a short time."
    else:
        sentence = f"{upstream} reports a failure of its own{_detail(error, status)}."
    return UpstreamUnavailableError(sentence, retry_after_s=pause)


def _refused(error: APIError, status: int, upstream: str) -> RequestRefusedError:
    if status == _NOT_FOUND:
        return RequestRefusedError(
            f"{upstream} does not know the model, or its address is not that of a chat "
            "completions API. Check both."
        )
    return RequestRefusedError(f"{upstream} refused the request{_detail(error, status)}.")


def _status(error: APIError) -> int | None:
    """The HTTP status, also where an error inside a stream names it as its code."""
    if isinstance(error, APIStatusError):
        return error.status_code
    return int(error.code) if error.code and re.fullmatch(r"[45]\d\d", error.code) else None


def _is_overflow(error: APIError, status: int | None) -> bool:
    if status in _CREDENTIAL or status == _TOO_MANY:
        return False
    told = bool(_words(error) & _OVERFLOW_CODES) or bool(_OVERFLOW_WORDS.search(_message(error)))
    return status == _TOO_LARGE or told


def _words(error: APIError) -> set[str]:
    """The error's machine-readable names, as far as it has any.

    The SDK builds `type` without checking it, so it may be anything.
    """
    return {word for word in (error.code, cast("object", error.type)) if isinstance(word, str)}


def _message(error: APIError) -> str:
    """What the provider says, without what it may echo of the request.

    OpenRouter wraps the words of the provider behind it in `metadata.raw`.
    """
    body = _mapping(error.body)
    if body is None:
        return str(cast("object", error.body) or "")[:_MESSAGE_CHARS]
    metadata = _mapping(body.get("metadata")) or {}
    told = (body.get("message"), body.get("detail"), metadata.get("raw"))
    return " ".join(words[:_MESSAGE_CHARS] for words in told if isinstance(words, str))


def _mapping(value: object) -> dict[str, object] | None:
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def _detail(error: APIError, status: int | None) -> str:
    """Status and error name; nothing longer, since messages may quote keys and addresses."""
    names = sorted(word for word in _words(error) if re.fullmatch(r"[a-z_]{3,40}", word))
    parts = [str(status)] if status is not None else []
    return f" ({', '.join(parts + names)})" if parts or names else ""
