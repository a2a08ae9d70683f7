"""A figure with its floor, and the way both are taken."""

import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value beside its floor; ``to_reach`` is what the design asks of the ratio."""

    name: str
    unit: str
    ours: float
    floor: float
    to_reach: str

    @property
    def ratio(self) -> float:
        """Ours by the floor."""
        return self.ours / self.floor if self.floor else 0.0

    @property
    def reached(self) -> bool:
        """Whether the ratio is on the right side of the bar."""
        side, bar = self.to_reach.split()
        return self.ratio >= float(bar) if side == ">=" else self.ratio <= float(bar)

    def document(self) -> dict[str, Any]:
        """JSON-ready."""
        return {**asdict(self), "ratio": round(self.ratio, 3)}


async def medians(*works: Callable[[], Awaitable[object]]) -> list[float]:
    """The median seconds of each piece of work, over `ROUNDS` rounds after one that warms up.

    The rounds of all pieces are interleaved, so that what else the machine does meets them alike.
    """
    walls: list[list[float]] = [[] for _ in works]
    for number in range(ROUNDS + 1):
        for wall, work in zip(walls, works, strict=True):
            begun = time.perf_counter()
            await work()
            if number:
                wall.append(time.perf_counter() - begun)
    return [statistics.median(wall) for wall in walls]
