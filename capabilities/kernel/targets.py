"""What an effect acts on, typed and redacted: stored with its claim, read by its probe."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ledger.stores.approvals import PlanPin


@dataclass(frozen=True, slots=True)
class Target:
    """The thing in the world (or in our tables) that a call is about.

    Attributes:
        kind: what sort of thing, e.g. ``torrent``.
        natural_key: the effect's own identity across requests (``btih:…``), or None.
        facts: JSON-ready facts the probe needs; no secrets, no raw input.
        pin: the exact plan that an approval must bind to, where there is one.
    """

    kind: str
    natural_key: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    pin: PlanPin | None = None

    def stored(self) -> dict[str, Any]:
        """As kept in the claim; the pin has columns of its own."""
        return {"kind": self.kind, "natural_key": self.natural_key, "facts": dict(self.facts)}


def restored(stored: Mapping[str, Any], pin: PlanPin | None) -> Target:
    """The target of a claim, as it was."""
    return Target(stored["kind"], stored["natural_key"], stored["facts"], pin)
