"""What an effect acts on, typed and redacted: stored with its claim, read by its probe."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ledger.stores.approvals import PlanPin


@dataclass(frozen=True, slots=True)
class Reach:
    """How far an act goes, in the terms that a grant's scope is written in.

    What is not known stays empty, and no grant that limits it covers the act then.

    Attributes:
        works: ids of the works it is for.
        kind: the kind of those works, e.g. ``film``.
        downloader: the name of the download client.
        folder: the library whose contents change in the end, as a person calls it.
        bytes: what it takes of a day's budget.
        replaces: whether files are replaced or moved, so that it is more than adding.
    """

    works: tuple[str, ...] = ()
    kind: str | None = None
    downloader: str | None = None
    folder: str | None = None
    bytes: int | None = None
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """The thing in the world (or in our tables) that a call is about.

    Attributes:
        kind: what sort of thing, e.g. ``torrent``.
        natural_key: the effect's own identity across requests (``btih:…``), or None.
        facts: JSON-ready facts the probe needs; no secrets, no raw input.
        pin: the exact plan that an approval must bind to, where there is one.
        reach: what a grant must cover.
        shows: lines for the owner's card beyond the input, where the act has no plan of its own;
            they say what `facts` hold, which is what is hashed.
    """

    kind: str
    natural_key: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    pin: PlanPin | None = None
    reach: Reach = field(default_factory=Reach)
    shows: tuple[str, ...] = ()

    def stored(self) -> dict[str, Any]:
        """As kept in the claim; the pin has columns of its own."""
        reach = {name: held for name, held in asdict(self.reach).items() if held}
        seen = {"kind": self.kind, "natural_key": self.natural_key, "facts": dict(self.facts)}
        return {**seen, "reach": reach} if reach else seen


def restored(stored: Mapping[str, Any], pin: PlanPin | None) -> Target:
    """The target of a claim, as it was."""
    reach = dict(stored.get("reach", {}))
    reach["works"] = tuple(reach.get("works", ()))
    return Target(stored["kind"], stored["natural_key"], stored["facts"], pin, Reach(**reach))
