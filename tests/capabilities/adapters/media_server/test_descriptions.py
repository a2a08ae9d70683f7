"""Our clients against Prism, which refuses what the servers' own descriptions do not allow.

Its examples are "string" throughout, so the paths in them are set here. Emby publishes none that
lies at hand: Jellyfin's is served with the two differences that Emby's reference documents, how
one signs in and commas in lists.
"""

import json
from collections.abc import Generator
from typing import Any

import httpx2
import pytest
import yaml

from capabilities.adapters.media_server.emby import emby
from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.plex import Plex
from capabilities.adapters.media_server.port import MediaServer, NotSeen, Seen
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.path_mapping import PathMap, SameFolder
from capabilities.rules.works import WorkKind
from tests.capabilities.adapters.prism import serving

pytestmark = [pytest.mark.anyio, pytest.mark.proof]

FOLDER = "/media/films"
FILE = f"{FOLDER}/Sintel (2010)/Sintel.mkv"
PATHS = PathMap([SameFolder("/srv/films", FOLDER)])
OURS = "/srv/films/Sintel (2010)/Sintel.mkv"
ITEM = "3fa85f64-5717-4562-b3fc-2c963f66afa6"


def as_jellyfin(text: str) -> Any:
    described = json.loads(text)
    schemas = described["components"]["schemas"]
    schemas["VirtualFolderInfo"]["properties"]["Locations"]["example"] = [FOLDER]
    schemas["VirtualFolderInfo"]["properties"]["ItemId"]["example"] = ITEM
    schemas["BaseItemDto"]["properties"]["Path"]["example"] = FILE
    schemas["BaseItemDto"]["properties"]["ProviderIds"]["example"] = {"Tmdb": "45745"}
    return described


def as_emby(text: str) -> Any:
    described = as_jellyfin(text)
    described["components"]["securitySchemes"]["CustomAuthentication"]["name"] = "X-Emby-Token"
    for one in described["paths"]["/Items"]["get"]["parameters"]:
        if one["schema"].get("type") == "array":
            one["explode"] = False
    return described


def as_plex(text: str) -> Any:
    described = yaml.load(text, Loader=yaml.CSafeLoader)
    paths = described["paths"]
    (section,) = _example(paths["/library/sections/all"])["Directory"]
    section["key"], section["Location"] = "1", [{"id": 1, "path": FOLDER}]
    (item,) = _example(paths["/library/sections/{sectionId}/all"])["Metadata"]
    item["Media"][0]["Part"][0]["file"], item["ratingKey"] = FILE, "7"
    item["Guid"] = [{"id": "imdb://tt1727587"}]
    return described


def _example(path: Any) -> Any:
    return path["get"]["responses"]["200"]["content"]["application/json"]["example"][
        "MediaContainer"
    ]


@pytest.fixture(scope="module")
def jellyfins(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with serving("jellyfin.json", tmp_path_factory.mktemp("jellyfin"), as_jellyfin) as address:
        yield address


@pytest.fixture(scope="module")
def embys(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with serving("jellyfin.json", tmp_path_factory.mktemp("emby"), as_emby) as address:
        yield address


@pytest.fixture(scope="module")
def plexes(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with serving("plex.yaml", tmp_path_factory.mktemp("plex"), as_plex) as address:
        yield address


async def asked(server: MediaServer, ids: dict[str, str]) -> None:
    """Every question there is, with what the description's example answers."""
    health = await server.health()
    (library,) = await server.libraries()
    await server.refresh([OURS])
    other = OURS.replace("Sintel.mkv", "other.mkv")
    sights = await server.seen([OURS, other])
    sight = sights[OURS]

    assert (health.reachable, health.note) == (True, None)
    assert (library.kind, library.folders) == (WorkKind.FILM, (FOLDER,))
    assert isinstance(sight, Seen)
    assert sight.ids == ids
    assert sights[other] == NotSeen()


async def test_the_server_is_strict_about_what_it_is_asked(jellyfins: str) -> None:
    async with httpx2.AsyncClient(trust_env=False) as client:
        assert (await client.get(f"{jellyfins}/Library/VirtualFolders")).status_code == 401
        signed = {"Authorization": "MediaBrowser"}
        answer = await client.get(f"{jellyfins}/Items?fields=Nonsense", headers=signed)
        assert answer.status_code == 422


async def test_jellyfin_by_its_own_description(jellyfins: str) -> None:
    async with Outbound(version="0") as out:
        await asked(jellyfin("den", jellyfins, "key", outbound=out, paths=PATHS), {"tmdb": "45745"})


async def test_emby_by_what_it_shares_with_jellyfin(embys: str) -> None:
    async with Outbound(version="0") as out:
        await asked(emby("den", embys, "key", outbound=out, paths=PATHS), {"tmdb": "45745"})


async def test_each_dialect_is_refused_where_the_other_is_spoken(
    embys: str, jellyfins: str
) -> None:
    async with Outbound(version="0") as out:
        with pytest.raises(DeclinedError, match="does not accept its key"):
            await jellyfin("den", embys, "key", outbound=out).libraries()
        with pytest.raises(DeclinedError, match="does not accept its key"):
            await emby("den", jellyfins, "key", outbound=out).libraries()


async def test_plex_by_its_own_description(plexes: str) -> None:
    async with Outbound(version="0") as out:
        await asked(Plex("den", plexes, "key", outbound=out, paths=PATHS), {"imdb": "tt1727587"})
