"""How the work on a run ends before the model has ended it."""

from dataclasses import dataclass

from ledger.stores.decisions import NewDecision
from ledger.stores.runs import RunState


@dataclass(frozen=True, slots=True)
class Ending:
    """The run's end, and why.

    Attributes:
        sentence: for the owner: what happened and what to do.
        decision: what only the owner can mend, put before them with the end.
    """

    state: RunState
    sentence: str
    decision: NewDecision | None = None
