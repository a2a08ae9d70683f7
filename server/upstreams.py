"""The models that runs speak with: built once each, when first needed."""

import anyio.to_thread

from agent.models.port import Upstream
from agent.upstreams import Chosen
from ledger.stores.runs import Run
from server.settings import UpstreamSettings


class Upstreams:
    """The configured providers; the first is the default."""

    def __init__(self, settings: tuple[UpstreamSettings, ...]) -> None:
        """Build nothing yet: the provider library takes most of a second to import."""
        self._settings = settings
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
            if settings.name not in self._built:
                self._built[settings.name] = await anyio.to_thread.run_sync(_build, settings)
            return self._built[settings.name]


def _build(settings: UpstreamSettings) -> Upstream:
    from agent.models.chat_completions import ChatCompletions  # slow to import; see above

    key = None if settings.key is None else settings.key.get_secret_value()
    return ChatCompletions(name=settings.name, base_url=settings.address, key=key)
