"""The works that a release may be, side by side as a person compares them."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Final

from capabilities.rules.outside_text import cleaned
from server.cli.api_client import Json
from server.cli.columns import GAP, columns

HEAD: Final = ("title", "year", "kind", "id", "for", "against")
TITLE_WIDTH: Final = 24
LEAST_WIDTH: Final = 20
"""Of what speaks for and against, on however narrow a terminal."""


def is_candidate(option: Json) -> bool:
    """Whether an option of a decision is a work, with what speaks for and against it."""
    return "speaks_for" in option and "speaks_against" in option


def candidate_table(candidates: Sequence[Json], width: int) -> str:
    """A table of the candidates, a work below the other.

    Args:
        candidates: options of a decision that are works.
        width: cells of the terminal; sentences are wrapped to fit where that can be.
    """
    facts = [
        (str(each.get("year") or "?"), str(each.get("kind", "")), str(each["id"]))
        for each in candidates
    ]
    taken = TITLE_WIDTH + sum(max(map(len, column)) for column in zip(*facts, strict=True))
    room = max((width - taken - len(GAP) * (len(HEAD) - 1)) // 2, LEAST_WIDTH)
    rows: list[list[str]] = [list(HEAD)]
    for each, (year, kind, id_) in zip(candidates, facts, strict=True):
        disagree = [f"sources disagree: {one}" for one in each.get("sources_disagree") or ()]
        cells = (
            _lines([str(each.get("title", ""))], TITLE_WIDTH),
            [year],
            [kind],
            [id_],
            _lines(each["speaks_for"], room),
            _lines([*each["speaks_against"], *disagree], room),
        )
        rows += [list(line) for line in zip_longest(*cells, fillvalue="")]
    return columns(rows)


def _lines(sentences: Iterable[object], width: int) -> list[str]:
    return [line for one in sentences for line in textwrap.wrap(cleaned(str(one)), width)]
