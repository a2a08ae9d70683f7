"""What is wrong with a policy: which field, why, and what to do about it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that nothing can meet, or that says nothing.

    Attributes:
        field: of the policy; parts inside it are joined by dots.
        why: for a person.
        cure: what would make it right, for a person.
    """

    field: str
    why: str
    cure: str

    @property
    def sentence(self) -> str:
        """Both in one."""
        return f"{self.field}: {self.why}; {self.cure}" if self.field else f"{self.why}"


class UnsatisfiableError(ValueError):
    """A policy that cannot be saved, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Carry the problems; the message has one sentence for each."""
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.sentence for problem in self.problems))


class WrongLinesError(ValueError):
    """Lines of text of which some cannot be read; it names each of them by its number, from 1."""

    def __init__(self, wrong: Mapping[int, str]) -> None:
        """Carry a sentence for each wrong line."""
        self.sentences = tuple(f"line {number}: {why}" for number, why in wrong.items())
        super().__init__("; ".join(self.sentences))


def refuse(problems: Iterable[Problem]) -> None:
    """Let pass what has no problems.

    Raises:
        UnsatisfiableError: there are some; all of them are in it.
    """
    held = tuple(problems)
    if held:
        raise UnsatisfiableError(held)
