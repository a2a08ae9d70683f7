"""A provider of the chat completions API, on the `openai` SDK with any base address."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from json import JSONDecodeError

import anyio
import httpx2
from openai import APIError, AsyncOpenAI, AsyncStream
from pydantic import ValidationError

from agent.models.chat_body import Dialect, chat_body
from agent.models.chat_chunks import Assembly, Chunk
from agent.models.chat_errors import fault_of
from agent.models.port import (
    BadStreamError,
    ModelRequest,
    StreamEvent,
    UpstreamFaultError,
    UpstreamUnavailableError,
)
from agent.models.retry import RetryPolicy

Pause = Callable[[float], Awaitable[None]]

# A model that reads a long prompt on a home machine is silent for minutes before its first word.
_PATIENCE = httpx2.Timeout(connect=10.0, read=300.0, write=60.0, pool=10.0)


class ChatCompletions:
    """One provider with one credential; its connections are opened once and reused.

    The request goes through the SDK's general `post` instead of `chat.completions.create`, which
    walks the whole history through its type tree at every call and builds typed objects for every
    chunk. The document on the wire is the one of `chat_body`, byte for byte.
    """

    def __init__(
        self,
        *,
        name: str,
        base_url: str,
        key: str | None,
        dialect: Dialect | None = None,
        retry: RetryPolicy | None = None,
        timeout: httpx2.Timeout = _PATIENCE,
        pause: Pause = anyio.sleep,
    ) -> None:
        """Nothing is sent yet.

        Args:
            name: what the owner calls this upstream; it appears in the sentences of faults.
            base_url: up to and including the version, e.g. `https://api.example.org/v1`.
            key: sent as a bearer token; None for servers that ask for none.
            dialect: what this server accepts.
            retry: how a request is tried again before its answer has begun.
            timeout: limits of connecting, of writing and of silence between two chunks, in seconds.
            pause: waits the given seconds between two tries.
        """
        self._name = name
        self._dialect = dialect or Dialect()
        self._retry = retry or RetryPolicy()
        self._pause = pause
        self._client = _client(base_url, key or "none", timeout)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamEvent]:
        """See `Upstream.stream`.

        A provider that is unavailable is tried again until the first event was given; a cut after
        that is a `BadStreamError`, since the caller has already used what came.
        """
        body = chat_body(request, self._dialect)
        failures = 0
        while True:
            begun = False
            try:
                async with aclosing(self._answer(body)) as events:
                    async for event in events:
                        begun = True
                        yield event
            except UpstreamUnavailableError as fault:
                if begun:
                    raise BadStreamError(f"The answer broke off: {fault.sentence}") from None
                failures += 1
                wait_s = self._retry.pause_after(failures, fault.retry_after_s)
                if wait_s is None:
                    raise
                await self._pause(wait_s)
            else:
                return

    async def aclose(self) -> None:
        """See `Upstream.aclose`."""
        await self._client.close()

    async def _answer(self, body: Mapping[str, object]) -> AsyncGenerator[StreamEvent]:
        """One attempt.

        Faults carry no cause: the SDK's errors hold the request with its credential.
        """
        try:
            async with await self._open(body) as chunks:
                assembly = Assembly()
                async for data in chunks:
                    for event in assembly.take(Chunk.model_validate(data)):
                        yield event
                for event in assembly.finish():
                    yield event
        except APIError as error:
            raise self._fault(error) from None
        except (JSONDecodeError, UnicodeDecodeError, ValidationError):
            raise BadStreamError(
                f"{self._name} sent something that is not a chat completion."
            ) from None

    def _fault(self, error: APIError) -> UpstreamFaultError:
        return fault_of(error, self._name)

    async def _open(self, body: Mapping[str, object]) -> AsyncStream[object]:
        return await self._client.post(
            "/chat/completions",
            cast_to=object,
            body=body,
            # Redirects would carry the conversation to an address the owner never named.
            options={"follow_redirects": False},
            stream=True,
            stream_cls=AsyncStream[object],
        )


def _client(base_url: str, key: str, timeout: httpx2.Timeout) -> AsyncOpenAI:
    """A client that takes nothing from the host's environment: no key, account or header."""
    client = AsyncOpenAI(
        base_url=base_url,
        api_key=key,
        # Written out, so that an Authorization from the environment does not replace it.
        default_headers={"Authorization": f"Bearer {key}", "User-Agent": "matinee"},
        max_retries=0,
        timeout=timeout,
    )
    client.admin_api_key = client.organization = client.project = None
    return client
