"""What a grant's terms may be, and what making them smaller comes to."""

from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from ledger.stores.grants import Scope, Terms


@dataclass(frozen=True, slots=True)
class Shortening:
    """What is to become smaller; None leaves a part as it is.

    Attributes:
        scope: fields that are None are left as they are.
        may_replace: False takes it away.
    """

    expires_at: datetime | None = None
    calls_per_day: int | None = None
    bytes_per_day: int | None = None
    scope: Scope = field(default_factory=Scope)
    may_replace: bool | None = None


def shortened(before: Terms, change: Shortening) -> Terms:
    """The terms made smaller.

    Raises:
        HaltError: denied, naming every part that would become wider; or invalid input where
            nothing would be left.
    """
    given = {
        name: held
        for name in ("expires_at", "calls_per_day", "bytes_per_day", "may_replace")
        if (held := getattr(change, name)) is not None
    }
    narrowed = {
        one.name: held
        for one in fields(Scope)
        if (held := getattr(change.scope, one.name)) is not None
    }
    after = replace(before, **given, scope=replace(before.scope, **narrowed))
    if wider := _wider(before, after):
        raise HaltError(
            Refused(
                Code.DENIED,
                f"That would make the grant wider ({', '.join(wider)}). A grant is only ever made "
                "smaller; nothing was changed.",
                {"wider": wider, "do": "Make a new grant, and withdraw this one."},
            )
        )
    refuse_empty(after)
    return after


def refuse_empty(terms: Terms) -> None:
    """Refuse terms that allow nothing: a grant that is to end is withdrawn, and says so.

    Raises:
        HaltError: invalid input.
    """
    budgets = (terms.calls_per_day, terms.bytes_per_day)
    if any(budget is not None and budget < 1 for budget in budgets):
        raise invalid("A budget is at least 1; to allow nothing, withdraw the grant.")
    if any(not held for held in terms.scope.document().values()):
        raise invalid("A scope names at least one thing; to allow nothing, withdraw the grant.")


def invalid(sentence: str) -> HaltError:
    """A refusal of terms that cannot be."""
    return HaltError(Refused(Code.INVALID_INPUT, f"{sentence} Nothing was changed."))


def _wider(before: Terms, after: Terms) -> list[str]:
    parts = {
        "expires_at": _above(after.expires_at, before.expires_at),
        "calls_per_day": _above(after.calls_per_day, before.calls_per_day),
        "bytes_per_day": _above(after.bytes_per_day, before.bytes_per_day),
        "may_replace": after.may_replace and not before.may_replace,
        "scope": not after.scope.within(before.scope),
    }
    return [name for name, is_wider in parts.items() if is_wider]


def _above(new: Any, old: Any) -> bool:
    """Whether a limit is looser than before; None is no limit."""
    return old is not None and (new is None or new > old)
