"""What a run has used, kept with the run."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from agent.models.port import Usage


@dataclass(frozen=True, slots=True)
class Used:
    """Totals of a run, and where its present budget began.

    Attributes:
        active_s: seconds in which a segment worked; waiting does not count.
        calls_before: the tool calls that belong to budgets used up earlier.
        active_s_before: the seconds that belong to them.
        noticed: how urgently the model was told that the present budget runs out.
    """

    requests: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    active_s: float = 0.0
    calls_before: int = 0
    active_s_before: float = 0.0
    noticed: int = 0

    @classmethod
    def stored(cls, document: Mapping[str, Any]) -> "Used":
        """As a run's row holds it; an empty document is a run that used nothing."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: held for name, held in document.items() if name in known})

    def document(self) -> dict[str, Any]:
        """JSON-ready, as kept in the row."""
        return {**asdict(self), "active_s": round(self.active_s, 3)}

    @property
    def calls(self) -> int:
        """Tool calls on the present budget."""
        return self.tool_calls - self.calls_before

    @property
    def seconds(self) -> float:
        """Seconds of work on the present budget."""
        return self.active_s - self.active_s_before

    def reopened(self) -> "Used":
        """The same totals with a fresh budget: the owner asked for more."""
        return replace(self, calls_before=self.tool_calls, active_s_before=self.active_s, noticed=0)


class Meter:
    """Counts what the present segment uses, on top of what the run had used before."""

    def __init__(self, used: Used, monotonic: Callable[[], float]) -> None:
        """Start the watch now; ``monotonic`` gives seconds."""
        self._used = used
        self._monotonic = monotonic
        self._since = monotonic()

    @property
    def used(self) -> Used:
        """The totals up to this moment."""
        elapsed = self._monotonic() - self._since
        return replace(self._used, active_s=self._used.active_s + elapsed)

    def reply(self, tokens: Usage | None) -> None:
        """Count one request to the model; a provider may not have counted its tokens."""
        counted = tokens or Usage()
        self._used = replace(
            self._used,
            requests=self._used.requests + 1,
            input_tokens=self._used.input_tokens + counted.input,
            output_tokens=self._used.output_tokens + counted.output,
            cached_tokens=self._used.cached_tokens + counted.cached,
        )

    def call(self) -> None:
        """Count one answered tool call."""
        self._used = replace(self._used, tool_calls=self._used.tool_calls + 1)

    def notice(self, urgency: int) -> None:
        """Remember that the model was told how near the end is."""
        self._used = replace(self._used, noticed=urgency)
