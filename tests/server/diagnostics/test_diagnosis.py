import io
import json
import os
import zipfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from capabilities.kernel.actors import owner
from ledger.clock import new_id
from ledger.ledger import Ledger, opened
from ledger.stores import audit, decisions
from ledger.stores.audit import Entry
from ledger.stores.decisions import DecisionKind, NewDecision
from server.cli.home import Home
from server.diagnostics import diagnosis
from server.diagnostics.diagnosis import Diagnosis
from server.guard.setup_code import fresh_code
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.sealed import SealedSecrets
from server.settings import Settings
from tests.ledger.homes import furnish

pytestmark = pytest.mark.anyio

PLAIN, SEALED, URL = "canary-in-the-settings", "canary-that-is-sealed", "canary-of-the-database"
TITLE = "Night Train (1959)"


@dataclass(frozen=True)
class Patient:
    home: Home
    ledger: Ledger
    diagnosis: Diagnosis

    async def bundle(self, *, titles: bool = False) -> dict[str, str]:
        """The files of a bundle, by name."""
        made = await self.diagnosis.bundle(titles=titles)
        with zipfile.ZipFile(io.BytesIO(made)) as archive:
            return {name: archive.read(name).decode() for name in archive.namelist()}

    async def happens(self, what: str) -> None:
        at = self.ledger.now()
        new = NewDecision(DecisionKind.OTHER, new_id("x"), TITLE, evidence={"said": what})

        def write(tx: Any) -> None:
            audit.write(tx, Entry(at, "key:local", "x", summary={"said": what}))
            decisions.raise_(tx, new, at)

        await self.ledger.write(write)


@asynccontextmanager
async def _patient(root: Path) -> AsyncGenerator[Patient]:
    home = Home(root / "home")
    home.prepare()
    furnish(home.root)
    films = root / "library" / "films"
    films.mkdir(parents=True)
    given = {
        "metadata": {"tmdb": {"key": PLAIN}},
        "folders": {"films": str(films)},
        "database": {"url": f"postgresql://me:{URL}@127.0.0.1/x"},
    }
    settings = Settings.model_validate(given)
    async with opened(home.root) as ledger:
        secrets = SealedSecrets(ledger, sealing_keys(home.root, {}))
        await secrets.put(owner("ada"), "indexers.one.key", SEALED)
        yield Patient(home, ledger, Diagnosis(home, ledger, secrets, settings))


def log_of(files: dict[str, str]) -> str:
    """The log behind the line that says that it is not this server's."""
    return files["log.txt"].partition(" UTC.\n")[2]


@pytest.fixture
async def patient(tmp_path: Path) -> AsyncGenerator[Patient]:
    async with _patient(tmp_path) as ready:
        yield ready


async def test_a_bundle_holds_what_its_page_says(patient: Patient) -> None:
    await patient.happens("something")
    files = await patient.bundle()
    named = [line.split()[0] for line in files["README.txt"].splitlines() if ".json" in line]
    assert set(named) | {"log.txt", "README.txt"} == set(files)
    assert json.loads(files["counts.json"])["decision"] == 1
    assert json.loads(files["audit.json"])["whole"]
    assert json.loads(files["settings.json"])["metadata"]["tmdb"]["key"] == "**********"
    versions = json.loads(files["versions.json"])
    assert versions["database"].startswith("sqlite ")
    assert "libtorrent" in versions["libraries"]
    findings = {each["id"] for each in json.loads(files["doctor.json"])}
    assert {"home.exists", "database", "secrets.key"} <= findings
    assert json.loads(files["ledger.json"])["decision"][0]["kind"] == "other"


async def test_no_secret_that_the_house_knows_is_in_it(patient: Patient) -> None:
    key = (patient.home.root / "secret.key").read_text().strip()
    said = f"{PLAIN} {SEALED} {URL} {key} http://x/?k={PLAIN}"
    await patient.happens(said)
    patient.home.log_file.write_text(f"{said}\npostgresql://me:{URL}@127.0.0.1/x\n")
    files = await patient.bundle(titles=True)
    whole = "".join(files.values())
    assert not [each for each in (PLAIN, SEALED, URL, key) if each in whole]
    assert log_of(files).startswith("*** *** *** ***")


async def test_a_log_of_another_server_is_told_from_this_one_s(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = patient.home.log_file
    log.write_text("a line\n")
    os.utime(log, (0, 0))
    before = (await patient.bundle())["log.txt"]
    assert before.startswith("The log of the server that runs is not in its home")
    assert before.endswith("What follows ended 1970-01-01 00:00:00 UTC.\na line\n")
    with log.open("a") as own:
        monkeypatch.setattr(diagnosis, "STANDARD_ERROR", own.fileno())
        assert (await patient.bundle())["log.txt"] == "a line\n"


async def test_no_one_time_code_is_in_it(patient: Patient) -> None:
    code = fresh_code()
    patient.home.log_file.write_text(f"One-time code: {code}\n")
    assert log_of(await patient.bundle()) == "One-time code: ***\n"


async def test_titles_are_in_it_only_when_they_are_wanted(patient: Patient) -> None:
    await patient.happens(f"about {TITLE}")
    patient.home.log_file.write_text(f"{TITLE} failed\n")
    without = await patient.bundle()
    assert TITLE not in "".join(without.values())
    assert log_of(without) == "(title) failed\n"
    assert "Titles are not in it" in without["README.txt"]
    given = await patient.bundle(titles=True)
    assert TITLE in given["log.txt"]
    assert TITLE in given["ledger.json"]
    assert "Titles are in it" in given["README.txt"]


async def test_folders_are_called_by_words(patient: Patient, tmp_path: Path) -> None:
    patient.home.log_file.write_text(f"{patient.home.root}/x {tmp_path}/library/films/y\n")
    files = await patient.bundle()
    assert log_of(files) == "~home/x ~films/y\n"
    assert json.loads(files["settings.json"])["folders"]["films"] == "~films"


async def test_of_a_long_log_the_last_whole_lines_are_taken(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "LOG_BYTES", 10)
    patient.home.log_file.write_text("first line\nsecond line\nlast\n")
    assert log_of(await patient.bundle()) == "last\n"


async def test_a_house_without_a_log_or_an_installed_package_has_a_bundle(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> list[str]:
        raise diagnosis.importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(diagnosis.importlib.metadata, "requires", missing)
    files = await patient.bundle()
    assert files["log.txt"].endswith("was started. There is none of an earlier one.\n")
    assert json.loads(files["versions.json"])["libraries"] == {}
