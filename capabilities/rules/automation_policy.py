"""What an owner lets happen without a word of theirs; nothing, to begin with."""

from collections.abc import Iterator
from dataclasses import dataclass

from capabilities.rules.problems import Problem, refuse
from capabilities.rules.satisfiable_numbers import (
    a_day_problems,
)


@dataclass(frozen=True, slots=True)
class AutomationPolicy:
    """What may happen without a person's word; nothing, to begin with.

    Publishing it makes the grants that it comes to; they last as long as the version does.

    Attributes:
        acquire: downloads that the acquisition policy accepts are submitted.
        upgrade: better copies of what is held are too.
        organize: finished downloads are placed in the library.
        replace: files in the library may be replaced by better ones then.
        remove: kept for owners who wish it; removing asks every time all the same.
        downloads_per_day: most submissions a UTC day, None for no limit.
        gigabytes_per_day: most of them in GB (1000³ bytes), None for no limit.

    Raises:
        UnsatisfiableError: a part that can never come into force.
    """

    acquire: bool = False
    upgrade: bool = False
    organize: bool = False
    replace: bool = False
    remove: bool = False
    downloads_per_day: int | None = None
    gigabytes_per_day: int | None = None

    def __post_init__(self) -> None:
        """Refuse what says nothing."""
        refuse(self._problems())

    def _problems(self) -> Iterator[Problem]:
        if self.upgrade and not self.acquire:
            yield Problem("upgrade", "upgrades are downloads too", "set acquire as well")
        if self.replace and not self.organize:
            yield Problem("replace", "only what is organised replaces", "set organize as well")
        yield from a_day_problems(
            self.downloads_per_day, self.gigabytes_per_day, acquire=self.acquire
        )
