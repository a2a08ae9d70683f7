"""The closed set of codes that refusals and failures carry."""

from enum import StrEnum


class Code(StrEnum):
    """Codes never change their meaning; clients may build on them."""

    INVALID_INPUT = "invalid_input"
    NOT_FOUND = "not_found"
    PRECONDITION = "precondition"
    CONFLICT = "conflict"
    DENIED = "denied"
    NEEDS_APPROVAL = "needs_approval"
    BUDGET_EXCEEDED = "budget_exceeded"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    UNKNOWN_OUTCOME = "unknown_outcome"
    CANCELLED = "cancelled"
    INTERNAL = "internal"
