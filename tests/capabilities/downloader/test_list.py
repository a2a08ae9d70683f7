from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.media_server.emby import emby
from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.port import MediaServers, Shown
from capabilities.downloader.list import NEVER, REMOVED
from capabilities.kernel.codes import Code
from capabilities.rules.works import WorkKind
from ledger.stores import contacts
from ledger.stores.contacts import Contact, Part
from tests.capabilities.adapters.media_server.bench import at_work
from tests.left_behind import frozen
from tests.scene import IMPORT, Scene

pytestmark = pytest.mark.anyio

AT = datetime.fromisoformat("2026-05-01T08:00:00+00:00")
LATER = AT + timedelta(hours=1)


def contact(
    name: str, part: Part = Part.CLIENT, kind: str = "embedded", *, reachable: bool = True
) -> Contact:
    note = None if reachable else "It is away."
    return Contact(part, name, kind, reachable, "libtorrent 2.1", note, AT if reachable else LATER)


async def noted(scene: Scene, *looks: Contact) -> None:
    await scene.write(lambda tx: contacts.note(tx, looks))


async def listed(scene: Scene, part: str = "downloaders") -> Sequence[dict[str, object]]:
    return (await scene.answer("downloader.list"))[part]


async def test_a_client_is_told_as_it_was_last_seen_and_its_downloads_are_counted(
    scene: Scene,
) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "downloading")
    await noted(scene, contact("embedded"))
    (client,) = await listed(scene)

    assert client["name"] == client["kind"] == "embedded"
    assert (client["default"], client["enabled"], client["reachable"]) == (True, True, True)
    assert client["version"] == "libtorrent 2.1"
    assert client["last_contact"] == client["looked_at"] == "2026-05-01T08:00:00Z"
    assert client["downloads"] == {"downloading": 1}
    assert "note" not in client


async def test_one_that_is_away_is_told_with_its_last_contact_and_why(scene: Scene) -> None:
    await noted(scene, contact("embedded"))
    await noted(scene, contact("embedded", reachable=False))
    (client,) = await listed(scene)

    assert (client["reachable"], client["note"]) == (False, "It is away.")
    assert client["last_contact"] == "2026-05-01T08:00:00Z"
    assert client["looked_at"] == "2026-05-01T09:00:00Z"


async def test_what_nobody_looked_at_yet_is_neither_there_nor_away(scene: Scene) -> None:
    (client,) = await listed(scene)

    assert client["note"] == NEVER
    assert not {"reachable", "last_contact", "looked_at"} & client.keys()


async def test_a_client_that_left_the_settings_is_told_while_it_has_downloads(
    scene: Scene,
) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "downloading", client="attic")
    await noted(scene, contact("attic", kind="qbittorrent"))
    _, gone = await listed(scene)

    assert (gone["name"], gone["kind"], gone["enabled"]) == ("attic", "qbittorrent", False)
    assert (gone["note"], gone["downloads"]) == (REMOVED, {"downloading": 1})


async def test_nobody_is_asked_and_no_address_or_key_is_told(scene: Scene, tmp_path: Path) -> None:
    async with at_work(tmp_path, jellyfin) as bench:
        house = scene.having(MediaServers((Shown(bench.server),)))
        await noted(scene, contact("den", Part.MEDIA_SERVER, "jellyfin"))
        answer = await house.answer("downloader.list")

        assert bench.double.requests == []
        assert bench.double.address.rpartition(":")[2] not in str(answer)
    (server,) = answer["media_servers"]
    assert (server["name"], server["kind"], server["reachable"]) == ("den", "jellyfin", True)
    assert (server["shows"], server["waiting"]) == (["film", "series"], 0)


async def test_imports_that_wait_for_a_media_server_are_counted(scene: Scene) -> None:
    den, attic = [
        Shown(make(name, "http://127.0.0.1:1", "k", outbound=scene.base.outbound), kinds)
        for make, name, kinds in (
            (jellyfin, "den", frozenset(WorkKind)),
            (emby, "attic", frozenset({WorkKind.SERIES})),
        )
    ]
    house = scene.having(MediaServers((den, attic)))
    plan = await frozen(house)
    await house.answer("organize.execute", IMPORT, plan=plan.id)
    servers = await listed(house, "media_servers")

    assert [(one["name"], one["waiting"]) for one in servers] == [("den", 1), ("attic", 0)]


async def test_without_any_media_server_the_list_of_them_is_empty(scene: Scene) -> None:
    assert await listed(scene, "media_servers") == []


async def test_media_servers_are_listed_without_a_download_client(scene: Scene) -> None:
    den = jellyfin("den", "http://127.0.0.1:1", "k", outbound=scene.base.outbound)
    house = scene.having(MediaServers((Shown(den),)), without=[Downloaders])

    assert await listed(house) == []
    assert [one["name"] for one in await listed(house, "media_servers")] == ["den"]


async def test_without_any_it_says_what_to_configure(scene: Scene) -> None:
    bare = scene.having(without=[Downloaders])
    refused = await bare.refusal(Code.PRECONDITION, "downloader.list")
    assert "download client" in refused.sentence
