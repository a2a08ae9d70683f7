"""How patient the engine is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds and counts; tests pass shorter ones.

    Attributes:
        beat_s: between two beats of a worker.
        lease_s: a worker without a new beat for so long is taken for dead.
        first_pause_s: before a segment that failed is tried again; it doubles with each failure.
        longest_pause_s: no pause is longer.
        away_s: between two tries to write how a segment went, while the ledger is away.
        most_failures: so many failures in a row without progress, and a subject is given up.
        most_recoveries: so often a segment that was cut short without progress is begun again.
    """

    beat_s: float = 5.0
    lease_s: float = 30.0
    first_pause_s: float = 2.0
    longest_pause_s: float = 300.0
    away_s: float = 1.0
    most_failures: int = 5
    most_recoveries: int = 3

    def pause_s(self, failures: int) -> float:
        """The pause after so many failures in a row, at least one."""
        return min(self.first_pause_s * 2.0 ** (failures - 1), self.longest_pause_s)
