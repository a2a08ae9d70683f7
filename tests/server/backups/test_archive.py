import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from server.backups.archive import (
    LEDGER,
    MANIFEST,
    Manifest,
    UnusableArchiveError,
    digest_of,
    pack,
    unpack,
)

AT = datetime(2026, 1, 1, tzinfo=UTC)


def packed(folder: Path, **changed: str) -> Path:
    """An archive of one member, with digests as ``changed`` says."""
    ledger = folder / LEDGER
    ledger.write_bytes(b"rows" * 1000)
    digests = {LEDGER: digest_of(ledger), **changed}
    target = folder / "home.backup"
    manifest = Manifest(version="0", made_at=AT, ledger="sqlite", digests=digests)
    pack(target, manifest, {LEDGER: ledger})
    return target


def test_what_was_packed_comes_out_the_same(tmp_path: Path) -> None:
    source = packed(tmp_path)
    manifest = unpack(source, tmp_path / "out")
    assert (manifest.made_at, manifest.ledger) == (AT, "sqlite")
    assert (tmp_path / "out" / LEDGER).read_bytes() == b"rows" * 1000
    assert source.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_a_member_that_was_changed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableArchiveError, match="ledger in the archive is damaged"):
        unpack(packed(tmp_path, **{LEDGER: "0" * 64}), tmp_path / "out")


def test_a_member_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableArchiveError, match="no whole archive"):
        unpack(packed(tmp_path, settings="0" * 64), tmp_path / "out")


def test_a_member_outside_is_refused(tmp_path: Path) -> None:
    for name in ("../outside", "/outside"):
        with pytest.raises(UnusableArchiveError, match="outside itself"):
            unpack(packed(tmp_path, **{name: "0" * 64}), tmp_path / "out")


@pytest.mark.parametrize("length", [0, 100, 200])
def test_half_an_archive_is_refused(tmp_path: Path, length: int) -> None:
    source = packed(tmp_path)
    source.write_bytes(source.read_bytes()[:length])
    with pytest.raises(UnusableArchiveError, match="no whole archive"):
        unpack(source, tmp_path / "out")


def test_an_archive_of_another_version_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "later.backup"
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr(MANIFEST, '{"format": 2}')
    with pytest.raises(UnusableArchiveError, match="another version"):
        unpack(source, tmp_path / "out")
