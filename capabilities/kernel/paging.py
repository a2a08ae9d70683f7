"""One page of a list, with a cursor that says where the next begins."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused

Cursor = Annotated[str | None, Field(description="next_cursor of the page before.", max_length=12)]


class Page(BaseModel):
    """What every list answers besides its items."""

    total: int
    left_out: int
    next_cursor: str | None = None


def start_of(cursor: str | None) -> int:
    """Where a page begins.

    Raises:
        HaltError: refused, when the cursor is none of ours.
    """
    if cursor is None:
        return 0
    if not cursor.isdecimal():
        raise HaltError(
            Refused(Code.INVALID_INPUT, "cursor: use next_cursor of the page before, or none.")
        )
    return int(cursor)


def page(total: int, start: int, shown: int) -> Page:
    """The page facts for ``shown`` items that begin at ``start``."""
    left = max(total - start - shown, 0)
    return Page(total=total, left_out=left, next_cursor=str(start + shown) if left else None)
