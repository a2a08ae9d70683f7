"""The whole way from the placed file to the satisfied slot, by a Kodi that nobody here wrote."""

from pathlib import Path

import anyio
import pytest

from capabilities.adapters.media_server.kodi import Kodi
from capabilities.adapters.media_server.port import MediaServers, Shown
from capabilities.kernel.owing import VERIFY
from capabilities.rules.verification import verification_from
from server.background.results import Done, Result
from server.background.verifying import Verifier
from tests.capabilities.adapters.media_server.kodi_at_work import FILMS, USER, kodi_at_work
from tests.left_behind import frozen
from tests.scene import IMPORT, VIDEO, Scene

pytestmark = [pytest.mark.anyio, pytest.mark.proof, pytest.mark.timeout(240)]

SEEN_S = 60.0
NFO = "<movie><title>Sintel</title><year>2010</year></movie>"


async def test_a_film_is_in_the_library_once_kodi_shows_it(scene: Scene, tmp_path: Path) -> None:
    async with kodi_at_work(tmp_path, {scene.folders.films: FILMS}) as running:
        server = Kodi("den", running.address, USER, running.password, outbound=scene.base.outbound)
        servers = MediaServers((Shown(server),))
        plan = await frozen(scene)
        house = scene.having(servers)
        await house.answer("organize.execute", IMPORT, plan=plan.id)
        (scene.folders.films / VIDEO).with_suffix(".nfo").write_text(NFO)  # Kodi wants its title
        (before,) = await scene.slots()
        ended = await until_done(scene, servers, plan.payload["download"])

    (record,) = await scene.records(plan.payload["download"])
    (after,) = await scene.slots()
    checks = verification_from(record.verification or {}).checks
    assert ended == Done("everything that must be true of it is")
    assert (before.state, after.state, record.state) == ("in_flight", "satisfied", "succeeded")
    assert [check.title for check in checks if check.server == "den"] == ["Sintel"]


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
