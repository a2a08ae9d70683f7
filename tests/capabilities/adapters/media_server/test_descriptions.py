"""Our clients against Prism, which refuses what the servers' own descriptions do not allow.

Its examples are "string" throughout, so the paths in them are set here, and full pages, so that
every question is asked there is: for the newest items, for a film and a series by title, for more
pages. Emby publishes none that lies at hand: Jellyfin's is served with the two differences that
Emby's reference documents, how one signs in and commas in lists.
"""

import json
from collections.abc import Generator
from typing import Any

import httpx2
import pytest
import yaml

from capabilities.adapters.media_server import emby_protocol, plex, searching
from capabilities.adapters.media_server.emby import emby
from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.plex import Plex
from capabilities.adapters.media_server.port import MediaServer, NotSeen, Seen
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.path_mapping import PathMap, SameFolder
from capabilities.rules.works import WorkKind
from tests.capabilities.adapters.prism import serving

pytestmark = [pytest.mark.anyio, pytest.mark.proof, pytest.mark.timeout(240)]

FOLDERS = ("/media/films", "/media/tv")
FILE = f"{FOLDERS[0]}/Sintel (2010)/Sintel.mkv"
VERSION = f"{FOLDERS[0]}/Sintel (2010)/Sintel - 2160p.mkv"
PATHS = PathMap([SameFolder("/srv/films", FOLDERS[0]), SameFolder("/srv/tv", FOLDERS[1])])
OURS = "/srv/films/Sintel (2010)/Sintel.mkv"
OTHER_VERSION = "/srv/films/Sintel (2010)/Sintel - 2160p.mkv"
UNSEEN = ("/srv/films/Sintel (2010)/other.mkv", "/srv/tv/Lantern Street (2019)/a.mkv")
ITEM = "3fa85f64-5717-4562-b3fc-2c963f66afa6"
PAGE = 3
OTHER = f"{FOLDERS[0]}/other film.mkv"


def as_jellyfin(text: str) -> Any:
    described = json.loads(text)
    kinds = ("movies", "tvshows")
    _answer(described["paths"]["/Library/VirtualFolders"])["example"] = [
        {"Name": kind, "Locations": [folder], "CollectionType": kind, "ItemId": ITEM}
        for kind, folder in zip(kinds, FOLDERS, strict=True)
    ]
    film = {
        **_item("Movie", FILE),
        "ProviderIds": {"Tmdb": "45745"},
        "MediaSources": [{"Path": FILE}, {"Path": VERSION}],
    }
    items = [film, _item("Series", FOLDERS[1]), _item("Movie", OTHER)]
    _answer(described["paths"]["/Items"])["example"] = {"Items": items}
    return described


def _answer(path: Any) -> Any:
    """The part of a description that says what a GET answers."""
    content = path["get"]["responses"]["200"]["content"]
    return content["application/json"]


def _item(kind: str, path: str) -> dict[str, Any]:
    return {"Id": ITEM, "Name": "Sintel", "Type": kind, "Path": path}


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
    sections = _answer(paths["/library/sections/all"])["example"]["MediaContainer"]
    (section,) = sections["Directory"]
    sections["Directory"] = [
        {**section, "key": key, "type": kind, "Location": [{"id": 1, "path": folder}]}
        for key, kind, folder in zip("12", ("movie", "show"), FOLDERS, strict=True)
    ]
    page = _answer(paths["/library/sections/{sectionId}/all"])["example"]["MediaContainer"]
    (item,) = page["Metadata"]
    page["Metadata"] = [
        {**item, "ratingKey": "7", "Guid": [{"id": "imdb://tt1727587"}], "Media": _media(*files)}
        for files in ((FILE, VERSION), (OTHER,), (f"{FOLDERS[1]}/other.mkv",))
    ]
    return described


def _media(*files: str) -> list[dict[str, Any]]:
    return [
        {"id": number, "Part": [{"id": number, "key": "/a", "file": file}]}
        for number, file in enumerate(files)
    ]


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prism takes seconds to check a page of two hundred."""
    for module in (searching, emby_protocol, plex):
        monkeypatch.setattr(module, "PAGE", PAGE)


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
    libraries = await server.libraries()
    await server.refresh([OURS])
    sights = await server.seen([OURS, OTHER_VERSION, *UNSEEN])

    assert (health.reachable, health.note) == (True, None)
    assert [(library.kind, library.folders) for library in libraries] == [
        (WorkKind.FILM, FOLDERS[:1]),
        (WorkKind.SERIES, FOLDERS[1:]),
    ]
    for version in (OURS, OTHER_VERSION):
        sight = sights[version]
        assert isinstance(sight, Seen)
        assert sight.ids == ids
    assert [sights[path] for path in UNSEEN] == [NotSeen(), NotSeen()]


async def test_the_server_is_strict_about_what_it_is_asked(jellyfins: str) -> None:
    async with httpx2.AsyncClient(trust_env=False, timeout=60) as client:
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
