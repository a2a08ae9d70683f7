"""From table rows to frozen values whose fields bear the columns' names."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import sqlalchemy as sa

T = TypeVar("T")


def columns(table: sa.Table, kind: type[Any]) -> list[sa.Column[Any]]:
    """The columns of ``table`` that ``kind`` has fields for, so large ones are not read idly."""
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is no dataclass")
    return [table.c[field.name] for field in fields(kind)]


def value(kind: type[T], row: sa.Row[Any]) -> T:
    """One row as ``kind``: `select` put the columns in the order of its fields."""
    return kind(*row)


def values(kind: type[T], rows: Iterable[sa.Row[Any]]) -> list[T]:
    """All rows as ``kind``."""
    return [value(kind, row) for row in rows]


def select(table: sa.Table, kind: type[Any], *where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Select what ``kind`` needs."""
    return sa.select(*columns(table, kind)).where(*where)
