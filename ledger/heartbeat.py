"""How long other workers have been silent, by the watcher's own monotonic clock."""

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.pace import Pace
from ledger.stores.workers import Worker


@dataclass(slots=True)
class _Heard:
    beat: int
    silent_s: float = 0.0


class Watch:
    """What one process knows of the beats of others.

    No wall clock decides. Time in which the watcher itself did not look (it was stopped, or the
    database was away) counts as at most two beats: then nobody could have been heard.
    """

    def __init__(self, pace: Pace) -> None:
        """Start without having heard of anybody."""
        self._pace = pace
        self._heard: dict[str, _Heard] = {}
        self._looked_at: float | None = None

    def silent(self, present: Sequence[Worker], now: float) -> list[Worker]:
        """Which of the live workers ``present`` have raised no beat for the lease's time.

        Args:
            present: every live worker but the watcher, as just read.
            now: seconds of the monotonic clock.
        """
        passed = 0.0 if self._looked_at is None else now - self._looked_at
        passed = min(passed, 2 * self._pace.beat_s)
        self._looked_at = now
        before, self._heard = self._heard, {}
        for worker in present:
            heard = before.get(worker.id)
            if heard is None or heard.beat != worker.beat:
                heard = _Heard(worker.beat)
            else:
                heard.silent_s += passed
            self._heard[worker.id] = heard
        return [each for each in present if self._heard[each.id].silent_s >= self._pace.lease_s]
