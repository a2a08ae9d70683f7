"""What a recorded claim answers, and how an outcome settles a claim."""

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    Pending,
    Recorded,
    Refused,
    Succeeded,
    Unknown,
)
from ledger.stores.claims import LEFT_PARTLY, TRY_AGAIN, Claim, ClaimState, Settlement

CHECK = "get_run or `matinee status` shows it once it is known"


def recorded(claim: Claim) -> AnyOutcome:
    """The answer of a call that was made before under the same key."""
    sentence = claim.sentence or ""
    match claim.state:
        case ClaimState.SUCCEEDED:
            return Succeeded(Recorded.model_validate(claim.result or {}), sentence, replayed=True)
        case ClaimState.FAILED:
            code = Code(claim.code or Code.INTERNAL)
            return Failed(code, sentence, "It was recorded earlier.", retry=claim.free_again)
        case ClaimState.PENDING:
            return Pending(claim.id, sentence or "It was accepted and is not finished.", CHECK)
        case ClaimState.RUNNING:
            return Pending(claim.id, "The same act is in progress.", CHECK)
        case ClaimState.UNKNOWN:
            return Unknown(sentence or "Whether it happened is not known yet.", CHECK, claim.id)


def settlement(outcome: AnyOutcome) -> Settlement:
    """How a claim ends when its handler answered ``outcome``."""
    match outcome:
        case Succeeded(data=data, sentence=sentence):
            result = data.model_dump(mode="json", exclude_none=True)
            return Settlement(ClaimState.SUCCEEDED, result, sentence=sentence)
        case Pending(sentence=sentence, handle=handle):
            return Settlement(ClaimState.PENDING, {"handle": handle}, sentence=sentence)
        case Unknown(sentence=sentence):
            return Settlement(ClaimState.UNKNOWN, code=Code.UNKNOWN_OUTCOME, sentence=sentence)
        case Failed(code=code, sentence=sentence):
            marks = {TRY_AGAIN: outcome.retry, LEFT_PARTLY: outcome.partly}
            evidence = {mark: True for mark, holds in marks.items() if holds} or None
            return Settlement(ClaimState.FAILED, code=code, sentence=sentence, evidence=evidence)
        case Refused(code=code, sentence=sentence):
            return Settlement(ClaimState.FAILED, code=code, sentence=sentence)
