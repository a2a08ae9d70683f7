from pathlib import Path

import pytest

from ledger.location import PostgresServer, SqliteFile, located


def test_without_an_address_the_ledger_is_a_file_of_the_home(tmp_path: Path) -> None:
    place = located(tmp_path, None)
    assert place == SqliteFile(tmp_path / "matinee.sqlite")
    assert place.dialect == "sqlite"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_spelling_of_a_server_is_understood(tmp_path: Path, scheme: str) -> None:
    place = located(tmp_path, f"{scheme}://me:pass@host:5433/films")
    assert place == PostgresServer("postgresql+psycopg://me:pass@host:5433/films")
    assert place.dialect == "postgresql"


@pytest.mark.parametrize(
    "address", ["mysql://me:pass@host/films", "postgresql://me:pass@host", "pass", ""]
)
def test_what_is_no_database_is_refused_without_repeating_it(tmp_path: Path, address: str) -> None:
    with pytest.raises(ValueError, match="postgresql://user:secret@host") as refused:
        located(tmp_path, address)
    assert "pass" not in str(refused.value)


def test_a_server_is_shown_without_its_password() -> None:
    place = PostgresServer("postgresql+psycopg://me:pass@host/films")
    assert place.shown == "postgresql+psycopg://me:***@host/films"
    assert "pass@" not in repr(place)
