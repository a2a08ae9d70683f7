"""Answering from the record, in words that are good for whoever asks now."""

import re
from functools import partial
from typing import cast

from capabilities.kernel.answers import recorded
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Recorded, Succeeded
from ledger.stores import references
from ledger.stores.claims import Claim
from ledger.writer import Transaction

_REFERENCE = re.compile(r"\b([a-z]{2,12}):(\d{1,9})\b")


async def replayed(claim: Claim, context: Context) -> AnyOutcome:
    """What ``claim`` came to, with its references as ``context``'s caller may use them.

    A short reference is good only where it was issued, so what the first caller was told is
    issued anew, to the same things, for the one who asks. A reference that stands for nothing any
    more stays as it was.
    """
    outcome = recorded(claim)
    if not isinstance(outcome, Succeeded) or _scope(claim) == context.scope:
        return outcome
    body = outcome.data.model_dump(mode="json")
    if not _REFERENCE.search(f"{outcome.sentence} {body}"):
        return outcome

    def write(tx: Transaction) -> AnyOutcome:
        anew = partial(_anew, tx, _scope(claim), context.scope)
        data = Recorded.model_validate(_walked(body, anew))
        return Succeeded(data, _REFERENCE.sub(anew, outcome.sentence), replayed=True)

    return await context.ledger.write(write)


def _scope(claim: Claim) -> str:
    return f"run:{claim.run}" if claim.run is not None else claim.principal


def _walked(held: object, anew: "partial[str]") -> object:
    """``held`` with every text that is a reference and nothing else issued anew."""
    if isinstance(held, str):
        whole = _REFERENCE.fullmatch(held)
        return held if whole is None else anew(whole)
    if isinstance(held, dict):
        fields = cast("dict[str, object]", held)
        return {name: _walked(each, anew) for name, each in fields.items()}
    if isinstance(held, list):
        return [_walked(each, anew) for each in cast("list[object]", held)]
    return held


def _anew(tx: Transaction, was: str, now: str, found: re.Match[str]) -> str:
    kind, number = found[1], int(found[2])
    target = references.target_of(tx.conn, was, kind, number)
    return found[0] if target is None else references.issue(tx, now, kind, target)
