"""The model a run speaks with, and what its faults mean for the run."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agent.ending import Ending
from agent.models.port import CredentialRefusedError, Upstream, UpstreamFaultError
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.runs import Run, RunState


@dataclass(frozen=True, slots=True)
class Chosen:
    """An upstream and the model to ask there; ``name`` is what the owner calls it."""

    name: str
    model: str
    upstream: Upstream


Choose = Callable[[Run], Awaitable[Chosen | None]]
"""The upstream of a run, else the default one, else None."""

NO_UPSTREAM = Ending(
    RunState.FAILED,
    "No model is connected, so nothing was tried. Name one under [[upstreams]] in settings.toml, "
    "start Matinee again, then ask for the same again.",
)


def ending_of(fault: UpstreamFaultError, chosen: Chosen) -> Ending:
    """The end of a run whose model could not be asked."""
    decision = None
    if isinstance(fault, CredentialRefusedError):
        decision = NewDecision(
            DecisionKind.UPSTREAM_LOGIN,
            f"upstream:{chosen.name}",
            f"{chosen.name} needs you: {fault.sentence}",
            Severity.HIGH,
            options=offered(Option.DISMISS),
            subject=chosen.name,
        )
    return Ending(RunState.FAILED, fault.sentence, decision)
