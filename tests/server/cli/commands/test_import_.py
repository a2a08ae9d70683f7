import json
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path

import pytest
import svcs
from anyio.from_thread import start_blocking_portal

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.discovery import discovered
from capabilities.kernel.owing import ADOPT
from ledger.ledger import Ledger
from ledger.stores import assets
from ledger.tables.workers import worker
from server.background.surveys import Surveyor
from server.background.taking_in import TakingIn
from server.background.tasks import TaskRunner
from server.cli.exits import Exit
from server.cli.home import Home
from server.first_start import publish_defaults
from server.guard.tries import Door
from tests.capabilities.inventory.library import episode, put
from tests.server.api.house import PASSPHRASE, served
from tests.server.cli.plot import Plot
from tests.server.cli.rig import OWNER, Rig
from tests.server.cli.typist import typist
from world.metadata import LoopbackMetadata, serving_metadata

Out = pytest.CaptureFixture[str]
ODD = "Nobody Knows This (1991)/Nobody Knows This (1991) - S01E01.mkv"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library that the settings name, with one title that is not known."""
    folder = tmp_path / "Series"
    put(folder, episode(1, "S01E01-E02"), ODD, "notes.txt")
    return folder


@pytest.fixture
def housed(tmp_path: Path) -> Generator[Rig]:
    """A home with an owner, a metadata source and library folders."""
    home = Home(tmp_path / "home")
    home.prepare()
    home.api_socket.symlink_to(home.root / "socket")
    specs = [each for each in discovered() if each.id.startswith("inventory.")]
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(serving_metadata()) as metadata,
        portal.wrap_async_context_manager(Outbound(version="1")) as outbound,
        portal.wrap_async_context_manager(
            served(home.root, specs=specs, held=_parts(tmp_path, metadata, outbound))
        ) as house,
    ):
        rig = Rig(home, house, portal, Plot())
        portal.call(publish_defaults, house.ledger)
        portal.call(_at_work, house.ledger)
        code = rig.one_time_code()
        portal.call(house.guard.owner.create, code, OWNER, PASSPHRASE, Door.TERMINAL)
        yield rig


async def _at_work(ledger: Ledger) -> None:
    """Background work that gives looks, and carries large adoptions on."""
    Surveyor(ledger).attend()
    runner = TaskRunner(ledger, {ADOPT: TakingIn(ledger).attend})
    ledger.engine.handle("task", "background", runner.segment)
    # The house registered its worker itself; the engine is to do so now.
    await ledger.write(lambda tx: tx.conn.execute(worker.delete()))
    await ledger.engine.launch()


def _parts(folder: Path, metadata: LoopbackMetadata, outbound: Outbound) -> svcs.Registry:
    held = svcs.Registry()
    tmdb = Tmdb(outbound, metadata.token, address=metadata.address)
    held.register_value(Catalogue, Catalogue([tmdb]))  # pyright: ignore[reportUnknownMemberType]  # it leaves ping open
    folders = Folders(folder / "Downloads", folder / "Films", folder / "Series")
    held.register_value(Folders, folders)  # pyright: ignore[reportUnknownMemberType]  # it leaves ping open
    return held


def standing(rig: Rig, library: Path) -> list[str]:
    return sorted(rig.read(lambda conn: assets.below(conn, str(library))))


def test_a_dry_run_shows_what_would_be_taken_and_takes_nothing(
    housed: Rig, library: Path, capsys: Out
) -> None:
    assert housed.typed("import", str(library), "--dry-run") == Exit.DONE
    told = capsys.readouterr().out
    assert "3 files, 2 videos, 2 titles; 0 in the inventory already." in told
    assert "Lantern Street (2019)  series  1  grade B" in told
    assert f"  {ODD} (1): no work of this title is known" in told
    assert "1 video would be taken in. No file is moved or changed." in told
    assert standing(housed, library) == []


def test_programs_get_the_plan_as_a_document(housed: Rig, library: Path, capsys: Out) -> None:
    assert housed.typed("import", str(library), "--dry-run", "--json") == Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert (told["state"], told["adopts"], told["adopted"]) == ("frozen", 1, None)
    assert told["others"] == {"other": 1}


def test_the_owner_takes_it_in_with_the_passphrase(housed: Rig, library: Path, capsys: Out) -> None:
    with typist("import", str(library), "--home", str(housed.home.root)) as person:
        person.sees("Take 1 video of")
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("1 video taken in, of 1 work; films and episodes that count as there now: 2.")
        assert person.leaves() == Exit.DONE
    assert standing(housed, library) == [str(library / episode(1, "S01E01-E02"))]
    assert housed.typed("import", str(library)) == Exit.DONE
    assert "There is nothing to take in." in capsys.readouterr().out


def test_a_folder_outside_the_settings_asks_before_it_looks_and_before_it_takes(
    housed: Rig, library: Path, tmp_path: Path, capsys: Out
) -> None:
    elsewhere = library.rename(tmp_path / "Elsewhere")
    assert housed.typed("import", str(elsewhere), "--dry-run") == Exit.NEEDS_YOU
    assert "you are asked first" in capsys.readouterr().err
    with typist("import", str(elsewhere), "--home", str(housed.home.root)) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("1 video would be taken in")
        person.sees("Passphrase:")
        person.types(f"{PASSPHRASE}\n")
        person.sees("1 video taken in, of 1 work")
        assert person.leaves() == Exit.DONE
    assert len(standing(housed, elsewhere)) == 1


def test_a_look_that_takes_long_is_followed_and_a_large_adoption_waited_for(
    housed: Rig, library: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.setattr("capabilities.inventory.looks.PATIENCE_S", 0.0)
    monkeypatch.setattr("capabilities.inventory.looks.LONG", timedelta())
    monkeypatch.setattr("capabilities.inventory.looks.FRESH_FOR", 100_000)
    monkeypatch.setattr("capabilities.inventory.taking_in.AT_ONCE", 1)
    put(library, episode(2, "S02E01"))
    assert housed.typed("import", str(library), "--dry-run") == Exit.DONE
    said = capsys.readouterr()
    assert "The look" in said.err or "is being looked at" in said.err
    assert "2 videos would be taken in" in said.out
    with typist("import", str(library), "--home", str(housed.home.root)) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("2 videos are being taken in, some at a time.")
        person.sees("2 videos taken in, of 1 work")
        assert person.leaves() == Exit.DONE
    assert len(standing(housed, library)) == 2
