"""Arithmetic on episode numbers: ``EP+12``, ``2*EP-1``."""

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LONGEST_SUM: Final = 40
"""Characters of a written sum."""
LAST_EPISODE: Final = 9_999
_NAME: Final = "EP"
_STEPS: Final[dict[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


@dataclass(frozen=True, slots=True)
class EpisodeSum:
    """A sum of whole numbers and ``EP``, with ``+``, ``-`` and ``*``.

    Raises:
        ValueError: it is anything else.
    """

    text: str

    def __post_init__(self) -> None:
        """Refuse what is no such sum."""
        if _NAME not in self.text.upper():
            raise ValueError(f'"{self.text[:LONGEST_SUM]}" does not say EP, such as EP+12')
        _value(_read(self.text), 1)

    def of(self, episode: int) -> int | None:
        """The number that an episode becomes; None where that is no number of an episode."""
        made = _value(_read(self.text), episode)
        return made if 0 <= made <= LAST_EPISODE else None


def _read(text: str) -> ast.expr:
    try:
        if len(text) <= LONGEST_SUM:
            return ast.parse(text.strip().upper(), mode="eval").body
    except (SyntaxError, ValueError):
        pass
    raise ValueError(_refusal(text))


def _value(part: ast.expr, episode: int) -> int:
    match part:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id=name) if name == _NAME:
            return episode
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, episode)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _STEPS:
            return _STEPS[type(op)](_value(left, episode), _value(right, episode))
        case _:
            raise ValueError(_refusal(ast.unparse(part)))


def _refusal(text: str) -> str:
    return f'"{text[:LONGEST_SUM]}" is no sum of whole numbers and EP with +, - and *'
