"""The models that runs speak with: built once each, when first needed."""

from collections.abc import AsyncGenerator, Collection

import anyio.to_thread

from agent.models.port import CredentialRefusedError, ModelRequest, StreamEvent, Upstream
from agent.upstreams import Chosen
from ledger.stores.runs import Run
from server.secrets_at_rest.sealed import UNOPENED
from server.settings import UpstreamSettings


class Upstreams:
    """The configured providers; the first is the default."""

    def __init__(
        self, settings: tuple[UpstreamSettings, ...], *, shut: Collection[str] = ()
    ) -> None:
        """Build nothing yet: the provider library takes most of a second to import.

        ``shut`` names the secrets that are sealed and do not open.
        """
        self._settings = settings
        self._shut = shut
        self._built: dict[str, Upstream] = {}
        self._lock = anyio.Lock()

    async def choose(self, run: Run) -> Chosen | None:
        """The upstream a run names, else the default; None when none is configured."""
        wanted = run.options.get("upstream")
        named = [each for each in self._settings if wanted in {None, each.name}]
        if not named:
            return None
        chosen = named[0]
        return Chosen(chosen.name, chosen.model, await self._upstream(chosen))

    async def aclose(self) -> None:
        """Let go of all connections."""
        for upstream in self._built.values():
            await upstream.aclose()

    async def _upstream(self, settings: UpstreamSettings) -> Upstream:
        async with self._lock:
            if settings.key is None and f"upstreams.{settings.name}.key" in self._shut:
                return Unopened()
            if settings.name not in self._built:
                self._built[settings.name] = await anyio.to_thread.run_sync(_build, settings)
            return self._built[settings.name]


class Unopened:
    """A provider that cannot be asked, since its sealed key does not open."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamEvent]:
        """Send nothing.

        Raises:
            CredentialRefusedError: always, and before any event.
        """
        del request
        for _ in ():
            yield _
        raise CredentialRefusedError(f"{UNOPENED} `matinee doctor` says more.")

    async def aclose(self) -> None:
        """Nothing is open."""


def _build(settings: UpstreamSettings) -> Upstream:
    from agent.models.chat_completions import ChatCompletions  # slow to import; see above

    key = None if settings.key is None else settings.key.get_secret_value()
    return ChatCompletions(name=settings.name, base_url=settings.address, key=key)
