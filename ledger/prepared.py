"""Statements on every effect's way, compiled once and given to the driver itself.

Building and running a statement through SQLAlchemy costs several times what the driver takes for
it, and claim and settlement wait for each other on one thread (`bench/claims.py`). The words of a
statement, its types and its faults stay SQLAlchemy's.
"""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

Bind = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Compiled:
    words: str
    names: tuple[str, ...] | None
    """In the order of their places, for drivers that count; None for those that take names."""
    binds: Mapping[str, Bind | None]
    constants: Mapping[str, Any]

    def parameters(self, given: Mapping[str, Any]) -> Any:
        values = {
            name: value if bind is None else bind(value)
            for name, bind in self.binds.items()
            for value in (given[name] if name in given else self.constants[name],)
        }
        return values if self.names is None else tuple(values[name] for name in self.names)


@dataclass(slots=True)
class Prepared:
    """One insert or update that gives no rows back, for any number of connections.

    Attributes:
        by_dialect: the statement, by the name of the dialect that runs it.
        columns: of an insert, those it writes; values are asked for by their names.
    """

    by_dialect: Mapping[str, sa.Insert | sa.Update]
    columns: tuple[str, ...] | None = None
    _compiled: dict[str, _Compiled] = field(default_factory=dict[str, _Compiled])

    def run(self, conn: sa.Connection, given: Mapping[str, Any]) -> int:
        """Run it in the connection's transaction; how many rows it touched.

        Args:
            conn: inside a transaction.
            given: a value for each parameter of the statement.

        Raises:
            KeyError: a parameter has no value.
            DBAPIError: as SQLAlchemy would raise it; a connection that is gone is let go.
        """
        compiled = self._for(conn.dialect)
        parameters = compiled.parameters(given)
        try:
            with closing(conn.connection.cursor()) as cursor:
                cursor.execute(compiled.words, parameters)
                return cursor.rowcount
        except conn.dialect.loaded_dbapi.Error as refused:
            raise _told(conn, compiled.words, refused) from refused

    def _for(self, dialect: sa.Dialect) -> _Compiled:
        known = self._compiled.get(dialect.name)
        if known is None:
            names = None if self.columns is None else list(self.columns)
            statement = self.by_dialect[dialect.name].compile(dialect=dialect, column_keys=names)
            known = self._compiled[dialect.name] = _of(statement, dialect)
        return known


def _of(statement: Any, dialect: sa.Dialect) -> _Compiled:
    binds = {
        name: parameter.type.dialect_impl(dialect).bind_processor(dialect)
        for parameter, name in statement.bind_names.items()
    }
    names = tuple(statement.positiontup) if statement.positional else None
    constants = {
        name: parameter.effective_value
        for parameter, name in statement.bind_names.items()
        if not parameter.required
    }
    return _Compiled(str(statement), names, binds, constants)


def _told(conn: sa.Connection, words: str, refused: Any) -> BaseException:
    dialect = conn.dialect
    gone = dialect.is_disconnect(refused, conn.connection.dbapi_connection, None)
    if gone:
        conn.invalidate(refused)
    told = DBAPIError.instance(  # pyright: ignore[reportUnknownVariableType]  # untyped there
        words,
        None,
        refused,
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=gone,
        dialect=dialect,
    )
    return cast("BaseException", told)
