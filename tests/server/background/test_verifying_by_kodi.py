"""The whole way from the placed file to the satisfied slot, by a Kodi that nobody here wrote.

What Kodi itself answers after the import is shown, to be quoted.
"""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from capabilities.adapters.media_server.kodi import Kodi
from capabilities.adapters.media_server.port import MediaServers, Shown
from capabilities.kernel.owing import VERIFY
from capabilities.rules.verification import verification_from
from server.background.results import Done, Result, Wait
from server.background.verifying import Verifier
from tests.capabilities.adapters.media_server.kodi_at_work import (
    FILMS,
    USER,
    answer,
    kodi_at_work,
)
from tests.left_behind import frozen
from tests.scene import IMPORT, VIDEO, Scene

pytestmark = [pytest.mark.anyio, pytest.mark.proof, pytest.mark.timeout(240)]

SEEN_S = 60.0
WANTED = ["title", "year", "file", "uniqueid", "streamdetails", "dateadded"]
NFO = "<movie><title>Sintel</title><year>2010</year></movie>"


async def test_a_film_is_in_the_library_once_kodi_shows_it(
    scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with kodi_at_work(tmp_path, {scene.folders.films: FILMS}) as running:
        server = Kodi("den", running.address, USER, running.password, outbound=scene.base.outbound)
        servers = MediaServers((Shown(server),))
        plan = await frozen(scene)
        house = scene.having(servers)
        await house.answer("organize.execute", IMPORT, plan=plan.id)
        placed = scene.folders.films / VIDEO
        placed.with_suffix(".nfo").write_text(NFO)  # Kodi wants its title
        (before,) = await scene.slots()
        ended = await until_done(scene, servers, plan.payload["download"])
        films = await answer(running, "VideoLibrary.GetMovies", properties=WANTED)
        version = (await server.health()).version

    (record,) = await scene.records(plan.payload["download"])
    (after,) = await scene.slots()
    checks = verification_from(record.verification or {}).checks
    assert ended == Done("everything that must be true of it is")
    assert (before.state, after.state, record.state) == ("in_flight", "satisfied", "succeeded")
    assert [check.title for check in checks if check.server == "den"] == ["Sintel"]
    (film,) = films["movies"]
    assert (film["title"], film["year"], film["file"]) == ("Sintel", 2010, str(placed))
    (told,) = (await house.answer("inventory.query"))["works"]
    assert [(one["server"], one["title"]) for one in told["files"][0]["shown"]] == [
        ("den", "Sintel")
    ]
    with capsys.disabled():
        show(f"Kodi {version} after a real import", films)
        show("the inventory", told)


async def test_what_kodi_does_not_show_keeps_the_record_open_with_the_reason(
    scene: Scene, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    async with kodi_at_work(tmp_path, {elsewhere: FILMS}) as running:
        server = Kodi("den", running.address, USER, running.password, outbound=scene.base.outbound)
        servers = MediaServers((Shown(server),))
        plan = await frozen(scene)
        await scene.having(servers).answer("organize.execute", IMPORT, plan=plan.id)
        (record,) = await scene.records(plan.payload["download"])
        task = (await scene.tasks(record.id))[VERIFY]
        result = await Verifier(scene.ledger, servers).attend(task)

    (record,) = await scene.records(plan.payload["download"])
    (slot,) = await scene.slots()
    assert isinstance(result, Wait)
    assert (record.state, slot.state) == ("verifying", "in_flight")
    assert record.last_error is not None
    assert "None of its libraries holds this file's folder" in record.last_error


def show(what: str, body: Any) -> None:
    sys.stdout.write(f"\n{what}:\n{json.dumps(body, indent=2, ensure_ascii=False)}\n")


async def until_done(scene: Scene, servers: MediaServers, download: str) -> Result:
    (record,) = await scene.records(download)
    task = (await scene.tasks(record.id))[VERIFY]
    verifier = Verifier(scene.ledger, servers)
    with anyio.fail_after(SEEN_S):
        while True:
            result = await verifier.attend(task)
            if isinstance(result, Done):
                return result
            await anyio.sleep(0.5)
