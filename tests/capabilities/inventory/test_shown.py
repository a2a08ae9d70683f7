from pathlib import Path

import pytest

from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.port import MediaServers, Shown
from capabilities.inventory.shown import Told, told_of
from capabilities.kernel.owing import VERIFY
from capabilities.rules.verification import (
    Verification,
    verification_from,
    verification_json,
)
from ledger.stores import shelf
from server.background.verifying import Verifier
from tests.left_behind import frozen
from tests.scene import IMPORT, VIDEO, Scene
from world.jellyfin_double import KEY, Library, serving_jellyfin

pytestmark = pytest.mark.anyio


async def placed(scene: Scene, *, blind: bool = False) -> None:
    """Sintel, imported with one media server, which was looked at once."""
    library = Library("Films", "movies", scene.folders.films)
    async with serving_jellyfin(library) as double:
        if blind:
            double.blind_to.add(Path(VIDEO).name)
        server = jellyfin("den", double.address, KEY, outbound=scene.base.outbound)
        servers = MediaServers((Shown(server),))
        house = scene.having(servers)
        plan = await frozen(house)
        await house.answer("organize.execute", IMPORT, plan=plan.id)
        (record,) = await scene.records(plan.payload["download"])
        task = (await scene.tasks(record.id))[VERIFY]
        await Verifier(scene.ledger, servers).attend(task)


async def test_a_file_is_told_with_who_showed_it_as_what_and_when(scene: Scene) -> None:
    await placed(scene)
    (work,) = (await scene.answer("inventory.query"))["works"]
    (file,) = work["files"]
    (shown,) = file["shown"]
    (asset,) = await scene.read(shelf.assets)
    record = await scene.read(lambda conn: shelf.record_by_id(conn, asset.record))
    assert record is not None
    (check,) = [one for one in verification_from(record.verification or {}).checks if one.server]

    assert check.shown_at is not None
    assert shown == {
        "server": "den",
        "title": "Sintel",
        "at": check.shown_at.isoformat().replace("+00:00", "Z"),
    }
    assert "episodes" not in file


async def test_a_file_that_nobody_showed_is_told_without(scene: Scene) -> None:
    await placed(scene, blind=True)
    (work,) = (await scene.answer("inventory.query"))["works"]

    assert "shown" not in work["files"][0]


async def of_before(scene: Scene, *without: str) -> tuple[Verification, Told]:
    """What is told of a file whose record says less of each check, as records once did."""
    await placed(scene)
    (asset,) = await scene.read(shelf.assets)
    record = await scene.read(lambda conn: shelf.record_by_id(conn, asset.record))
    assert record is not None
    known = verification_from(record.verification or {})
    stored = verification_json(known)
    for check in stored["checks"]:
        for name in without:
            del check[name]
    await scene.write(lambda tx: shelf.change_record(tx, record.id, verification=stored))
    told = await scene.read(lambda conn: told_of(conn, [asset], ()))
    return known, told[asset.id]


async def test_a_record_of_before_says_since_when_the_file_stands(scene: Scene) -> None:
    known, told = await of_before(scene, "shown_at")

    assert [one.at for one in told.shown] == [known.at]


async def test_a_check_that_passed_because_its_server_was_gone_is_no_showing(scene: Scene) -> None:
    _, told = await of_before(scene, "shown_at", "item", "title")

    assert told.shown == ()
