"""What the answers of all metadata sources have in common: other people's data, read leniently.

What a source adds in future is ignored; null is as good as left out, and what is empty or spelt
as no date is None. One odd value does not cost the whole answer.
"""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

_LARGEST = 10**18


def _none_if_empty(value: object) -> object:
    return None if value in ("", 0) else value


def _none_if_no_day(value: object) -> object:
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


Day = Annotated[date | None, BeforeValidator(_none_if_no_day)]
Text = Annotated[str | None, BeforeValidator(_none_if_empty)]
Count = Annotated[int | None, BeforeValidator(_none_if_empty)]
Number = Annotated[int, Field(ge=1, le=_LARGEST)]
OtherNumber = Annotated[
    Annotated[int, Field(ge=1, le=_LARGEST)] | None, BeforeValidator(_none_if_empty)
]


class OutsideAnswer(BaseModel):
    """An answer, or a part of one."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        given = cast("Mapping[str, object]", value)
        return {name: each for name, each in given.items() if each is not None}

    @property
    def says_nothing(self) -> bool:
        """Whether the answer is that there is nothing."""
        return False


class NothingKnown(OutsideAnswer):
    """The source knows no such thing."""

    @property
    def says_nothing(self) -> bool:
        """It does."""
        return True


class BareList(OutsideAnswer):
    """A list that is a whole answer; a class of its own says what the `items` are."""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return {"items": cast("object", value)} if isinstance(value, list) else None

    @property
    def says_nothing(self) -> bool:
        """Whether the list is empty."""
        return not getattr(self, "items", ())
