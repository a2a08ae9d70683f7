"""A real server that cuts the connection in the middle of a commit."""

from ledger.writer import Transaction


def cut_commits_with(tx: Transaction, table: str) -> None:
    """From now on a transaction that inserts into ``table`` loses its connection as it commits."""
    body = "BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END"
    tx.conn.exec_driver_sql(
        f"CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$"
    )
    tx.conn.exec_driver_sql(
        f"CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION cut()"
    )


def cut_no_more(tx: Transaction, table: str) -> None:
    """Commits come through again."""
    tx.conn.exec_driver_sql(f"DROP TRIGGER cut ON {table}")
