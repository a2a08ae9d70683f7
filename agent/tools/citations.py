"""References that a model cites, held against the ledger."""

import re

from ledger.ledger import Ledger
from ledger.stores import claims, references

_CITATION = re.compile(r"\b(?:(rel|plan|dl|work|rec):(\d{1,9})|(inv_[0-9a-f]{32}))\b")


async def unknown_citations(ledger: Ledger, run: str, text: str) -> list[str]:
    """The citations in ``text`` that stand for nothing: no such reference was issued to the run.

    ``rel:``, ``plan:``, ``dl:``, ``work:`` and ``rec:`` with a number are references of the run;
    ``inv_…`` is a call that this run made. Other words are no citations.
    """
    found = list(_CITATION.finditer(text))
    if not found:
        return []

    return await ledger.read(
        lambda conn: [
            match[0]
            for match in found
            if (
                references.target_of(conn, f"run:{run}", match[1], int(match[2])) is None
                if match[1]
                else getattr(claims.by_id(conn, match[3]), "run", None) != run
            )
        ]
    )
