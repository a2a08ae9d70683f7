"""What lamps do and what is seen of them, where a test says so in one word."""

from collections.abc import Awaitable, Callable

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.targets import Target


def answers(outcome: AnyOutcome) -> Callable[[object, Context], Awaitable[AnyOutcome]]:
    """An act, or a taking up, that does nothing and comes to this."""

    async def answer(_asked: object, _context: Context) -> AnyOutcome:
        return outcome

    return answer


def sees(verdict: Verdict, **evidence: object) -> Callable[[Target], Awaitable[Finding]]:
    """A look that finds this."""

    async def look(_target: Target) -> Finding:
        return Finding(verdict, evidence)

    return look
