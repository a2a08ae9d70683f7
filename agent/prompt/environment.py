"""What the house looks like right now: names and words, no identities, no addresses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is connected, by the names the owner gave, and how much of what there is.

    Attributes:
        counts: for example ``{"films": 812, "downloads under way": 2}``.
    """

    downloaders: tuple[str, ...] = ()
    indexers: tuple[str, ...] = ()
    media_servers: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


def environment(surroundings: Surroundings, now: datetime) -> str:
    """The layer; what is missing is said, since "none" is a fact to work with."""
    lines = [
        "# The house now",
        f"Time: {now:%A}, {now.day} {now:%B %Y}, {now:%H:%M} UTC",
        f"Downloaders: {_names(surroundings.downloaders)}",
        f"Indexers: {_names(surroundings.indexers)}",
        f"Media servers: {_names(surroundings.media_servers)}",
        f"Library folders: {_names(surroundings.libraries)}",
    ]
    if surroundings.counts:
        counted = ", ".join(f"{count} {name}" for name, count in surroundings.counts.items())
        lines.append(f"Counts: {counted}")
    return "\n".join(lines)


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names) if names else "none connected"
