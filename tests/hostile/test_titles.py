"""P3: no title, episode title, release name or file name leads off the shelf."""

import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from capabilities.adapters.shelf.faults import PathRefusedError
from capabilities.adapters.shelf.freezing import freeze
from capabilities.adapters.shelf.placements import Mode, Placement
from capabilities.adapters.shelf.placing import place
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import WorldFaultError
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.importing import plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.naming import NamingPreset, Templates
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.works import Episode, Season, Work, WorkKey, WorkKind
from tests.capabilities.adapters.shelf.scene import ignore
from tests.hostile.titles import TITLES
from tests.hostile.tree import changed, tree_of
from tests.promises.tally import Tally

LIBRARY = "a/b/c/library"
SOURCE = "pack/film.mkv"
PLAIN = "Show.S01E01.1080p.WEB-DL.x264-GRP"
JOINERS: dict[int, str | int | None] = {0x200C: None, 0x200D: None}
"""Unseen, and a part of how some scripts are spelt."""
SIDE_TAGS = ("en", "../../outside", "..", "zh-Hant.forced", "\u202een")


def works(title: str) -> Iterator[Work]:
    """A film and a series of that title, with an episode of that title."""
    yield Work(WorkKey("tmdb", WorkKind.FILM, "1"), title, 2010)
    seasons = (Season(1, 2010, 1, (Episode(1, title),)),)
    yield Work(WorkKey("tmdb", WorkKind.SERIES, "2"), title, 2010, seasons=seasons)


def targets(title: str, preset: NamingPreset, tags: tuple[str, ...] = SIDE_TAGS) -> list[str]:
    """Where files of such works are to go, below the library; the release bears the title too."""
    policy, found = OrganizePolicy(preset=preset), list[str]()
    for work in works(title):
        for release in (PLAIN, f"{title}.S01E01.{title}.1080p-{title}"):
            files = [DownloadedFile(f"x/{PLAIN}.mkv", 10**9)]
            files += [DownloadedFile(f"x/{PLAIN}.{tag}.srt", 1000) for tag in tags]
            made = plan_import(files, Identity(Grade.A, work), parse(release), policy, runtime=None)
            root = PurePosixPath(policy.root_of(work.key.kind))
            found += [str(each.target.relative_to(root)) for each in made.placements]
    return found


@pytest.mark.parametrize("preset", NamingPreset)
@pytest.mark.parametrize("title", TITLES, ids=lambda title: repr(title[:30]))
def test_a_title_becomes_a_name_that_every_file_system_holds(
    title: str, preset: NamingPreset
) -> None:
    named = targets(title, preset)
    assert named
    for path in named:
        for part in path.split("/"):
            assert part.strip(" .") == part
            assert part.translate(JOINERS).isprintable()
            assert not set(part) & set('\\:*?"<>|')
            assert 0 < len(part.encode()) <= 255
            assert part.partition(".")[0].lower() not in {"con", "nul", "aux", "prn", "com\u00b9"}


@pytest.mark.anyio
@pytest.mark.promise("P3")
async def test_no_title_places_anything_outside_of_the_library(
    tmp_path: Path, tally: Tally
) -> None:
    sources, library = ground(tmp_path)
    before = tree_of(tmp_path)
    tried = [
        (title, path) for title in TITLES for path in targets(title, NamingPreset.PLEX, ("..",))
    ]
    with Root(sources, "the downloads") as held, Root(library, "the library") as shelf:
        for number, path in enumerate(dict.fromkeys(path for _, path in tried)):
            await placed(path, held, shelf, str(number))
    escapes = changed(before, tree_of(tmp_path), roots=(LIBRARY,))
    tally.add(len(tried), len(escapes), vectors=len(tried), titles=len(TITLES))
    tally.add(0, 0, escapes=len(escapes))
    assert escapes == []
    assert len([path for path in library.rglob("*") if path.is_file()]) == len(
        {path for _, path in tried}
    )


def ground(folder: Path) -> tuple[Path, Path]:
    """A download folder with a film, and a library that lies deep."""
    sources, library = folder / "downloads", folder / LIBRARY
    (sources / "pack").mkdir(parents=True)
    (sources / SOURCE).write_bytes(b"a film")
    library.mkdir(parents=True)
    (folder / "outside").mkdir()
    return sources, library


async def placed(path: str, sources: Root, shelf: Root, token: str) -> None:
    """Place the film under that name."""
    placement = Placement(await freeze(sources, SOURCE), path, Mode.HARDLINK)
    await place(placement, sources=sources, origin=SOURCE, shelf=shelf, token=token, journal=ignore)


@pytest.mark.anyio
@pytest.mark.promise("P3")
@pytest.mark.parametrize("title", [title for title in TITLES if "/" in title or "\0" in title])
async def test_a_plan_that_names_such_a_path_itself_is_refused(
    tmp_path: Path, tally: Tally, title: str
) -> None:
    sources, library = ground(tmp_path)
    before = tree_of(tmp_path)
    with Root(sources, "the downloads") as held, Root(library, "the library") as shelf:
        for path in (f"../{title}", f"{title}/../../x.mkv", f"{title}/\0.mkv"):
            with pytest.raises(PathRefusedError):
                await placed(path, held, shelf, "one")
    escapes = changed(before, tree_of(tmp_path), roots=())
    tally.add(3, len(escapes))
    assert escapes == []


@pytest.mark.anyio
@pytest.mark.promise("P3")
@pytest.mark.parametrize("swapped", ["a/b/c/library", "a/b/c/library/Show", "a/b/c"])
async def test_a_shelf_swapped_for_a_link_between_plan_and_placing_leads_nowhere(
    tmp_path: Path, tally: Tally, swapped: str
) -> None:
    sources, library = ground(tmp_path)
    (library / "Show").mkdir()
    with Root(sources, "the downloads") as held, Root(library, "the library") as shelf:
        away = (tmp_path / swapped).rename(tmp_path / "away")
        (tmp_path / swapped).symlink_to(tmp_path / "outside")
        before = tree_of(tmp_path / "outside")
        if swapped.endswith("Show"):
            with pytest.raises(WorldFaultError):
                await placed("Show/film.mkv", held, shelf, "one")
        else:  # it goes on in the folder that it had opened, wherever that is now
            await placed("Show/film.mkv", held, shelf, "one")
            assert len(list(away.rglob("film.mkv"))) == 1
    escapes = changed(before, tree_of(tmp_path / "outside"), roots=())
    tally.add(1, len(escapes))
    assert escapes == []


@pytest.mark.parametrize("field", ["film_folder", "film_file", "season_folder", "episode_file"])
@pytest.mark.parametrize(
    "template",
    ["../{title}", "{title}/../../x", "/etc/{title}", "C:\\{title}", "..", ".", "{title}\0", "CON"],
)
def test_a_template_that_would_lead_off_the_shelf_cannot_be_saved(
    field: str, template: str
) -> None:
    with pytest.raises(ValueError, match=r"\."):
        OrganizePolicy(templates=Templates(**{field: template}))


@pytest.mark.anyio
@pytest.mark.promise("P3", control=True)
async def test_a_build_that_names_by_the_title_as_it_is_writes_outside(
    tmp_path: Path, tally: Tally
) -> None:
    sources, library = ground(tmp_path)
    before = tree_of(tmp_path)
    for title in TITLES:
        if title.startswith(("../", "a/../")):
            path = library / title / "film.mkv"
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(sources / SOURCE, path)
    escapes = changed(before, tree_of(tmp_path), roots=(LIBRARY,))
    tally.add(len(escapes), len(escapes))
    assert escapes
