"""From table rows to frozen values whose fields bear the columns' names."""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

import sqlalchemy as sa

T = TypeVar("T")
Convert = Callable[[Any], Any]


def columns(table: sa.Table, kind: type[Any]) -> list[sa.Column[Any]]:
    """The columns of ``table`` that ``kind`` has fields for, so large ones are not read idly."""
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is no dataclass")
    return [table.c[field.name] for field in fields(kind)]


def value(kind: type[T], row: sa.Row[Any]) -> T:
    """One row as ``kind``: `select` put the columns in the order of its fields.

    Words of a closed set come out as members of their enum.
    """
    return kind(
        *[
            held if convert is None or held is None else convert(held)
            for held, convert in zip(row, _conversions(kind), strict=True)
        ]
    )


def values(kind: type[T], rows: Iterable[sa.Row[Any]]) -> list[T]:
    """All rows as ``kind``."""
    return [value(kind, row) for row in rows]


def select(table: sa.Table, kind: type[Any], *where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Select what ``kind`` needs."""
    return sa.select(*columns(table, kind)).where(*where)


def one(conn: sa.Connection, table: sa.Table, kind: type[T], **equal: object) -> T | None:
    """The one row of ``table`` whose columns have these values, as ``kind``.

    The statement is built once for each set of columns: building one costs several times as much
    as running it.
    """
    row = conn.execute(_where_equal(table, kind, *equal), equal).first()
    return None if row is None else value(kind, row)


@cache
def _where_equal(table: sa.Table, kind: type[Any], *names: str) -> sa.Select[Any]:
    return select(table, kind, *(table.c[name] == sa.bindparam(name) for name in names))


@cache
def _conversions(kind: type[Any]) -> tuple[Convert | None, ...]:
    hints = get_type_hints(kind)
    return tuple(_enum_in(hints[field.name]) for field in fields(kind))


def _enum_in(hint: Any) -> Convert | None:
    for each in (hint, *get_args(hint)):
        if isinstance(each, type) and issubclass(each, Enum):
            return each
    return None
