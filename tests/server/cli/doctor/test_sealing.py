from pathlib import Path

import anyio

from capabilities.kernel.actors import owner
from ledger.ledger import opened
from server.cli.doctor.finding import Severity
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.sealed import SealedSecrets
from tests.server.cli.doctor.patient import found, prepared

PLAIN = '[metadata.tmdb]\nkey = "secret-canary"\n'


async def _seal(home: Path, name: str) -> None:
    async with opened(home) as ledger:
        secrets = SealedSecrets(ledger, sealing_keys(home, {}))
        await secrets.put(owner("ada"), name, "secret-canary")


def test_secrets_in_plain_text_are_named_and_can_be_sealed(tmp_path: Path) -> None:
    finding = found(prepared(tmp_path, PLAIN))["secrets.plain"]
    assert finding.severity is Severity.NOTICE
    assert "metadata.tmdb.key" in finding.sentence
    assert "matinee secret set" in finding.fix
    assert "canary" not in finding.sentence


def test_without_secrets_in_plain_text_nothing_is_said_of_them(tmp_path: Path) -> None:
    assert "secrets.plain" not in found(prepared(tmp_path))


def test_a_home_without_a_key_is_well(tmp_path: Path) -> None:
    assert found(prepared(tmp_path))["secrets.key"].severity is Severity.OK


def test_a_sealed_key_configures_what_it_is_for(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    anyio.run(_seal, tmp_path, "metadata.tmdb.key")
    findings = found(home)
    assert findings["metadata"].severity is Severity.OK
    assert "nobody else can read it" in findings["secrets.key"].sentence


def test_a_key_that_others_can_read_is_an_error(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    anyio.run(_seal, tmp_path, "metadata.tmdb.key")
    (tmp_path / "secret.key").chmod(0o644)
    finding = found(home)["secrets.key"]
    assert finding.severity is Severity.ERROR
    assert "0600" in finding.sentence


def test_a_ledger_of_an_earlier_version_has_no_sealed_secrets(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    (tmp_path / "matinee.sqlite").touch()
    assert found(home)["metadata"].severity is Severity.NOTICE


def test_secrets_whose_key_is_not_here_are_named(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    anyio.run(_seal, tmp_path, "metadata.tmdb.key")
    (tmp_path / "secret.key").unlink()
    finding = found(home)["secrets.sealed"]
    assert finding.severity is Severity.ERROR
    assert "metadata.tmdb.key" in finding.sentence
