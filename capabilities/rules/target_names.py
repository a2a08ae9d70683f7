"""Sets of targets as people write them: ``S01E01-E08``, ``S02`` for a whole season, ``film``."""

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby

from capabilities.rules.targets import FILM, Target

THE_FILM = "film"
NO_WHOLES: Mapping[int, int] = {}


def target_names(
    targets: Collection[Target], wholes: Mapping[int, int] = NO_WHOLES
) -> tuple[str, ...]:
    """One name for each run of episodes, in their order.

    Args:
        targets: of one work.
        wholes: by season, how many episodes it has; one that is there in full is named as such.
    """
    if set(targets) == {FILM}:
        return (THE_FILM,)
    named: list[str] = []
    for season, those in groupby(sorted(set(targets)), key=lambda target: target[0]):
        numbers = [number for _, number in those]
        whole = wholes.get(season, 0)
        if whole and numbers == list(range(1, whole + 1)):
            named.append(f"S{season:02}")
        else:
            named += _runs(season, numbers)
    return tuple(named)


def _runs(season: int, numbers: list[int]) -> Iterator[str]:
    first = 0
    for at, number in enumerate(numbers):
        if at + 1 < len(numbers) and numbers[at + 1] == number + 1:
            continue
        start = f"S{season:02}E{numbers[first]:02}"
        yield start if first == at else f"{start}-E{number:02}"
        first = at + 1
