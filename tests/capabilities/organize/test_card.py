import pytest

from capabilities.organize.card import SHOWN, card
from capabilities.organize.import_plan import FrozenSource, OrganizePlan, PlannedFile, WrittenFile
from capabilities.organize.known import known_around
from tests.capabilities.organize.test_sources import context
from tests.scene import Scene


@pytest.mark.anyio
async def test_it_names_what_comes_and_what_goes_and_no_more_than_can_be_read(
    scene: Scene,
) -> None:
    row = await scene.submitted()
    known = await known_around(row.id, context(scene))
    source = FrozenSource(path="a", device=1, inode=1, size=1, mtime_ns=1)
    files = [
        PlannedFile(source=source, target=f"{number}.mkv", role="video") for number in range(40)
    ]
    wanted = OrganizePlan(
        download=row.id,
        info_hash=row.info_hash,
        work=row.work,
        kind=known.work.key.kind,
        quality="1080p",
        folder="/films",
        files=files,
        left=[],
        replaces=["old.avi"],
        add_only=False,
        import_={"mode": "move"},
        moved_because="its client let it go",
        written=[WrittenFile(target="0.nfo", text="<movie/>")],
    )
    told = card(wanted, known, context(scene))
    assert told["title"] == "Place Sintel (2010) in Films"
    assert len(told["changes"]) == SHOWN + 3
    assert told["changes"][0] == "0.mkv by move"
    assert told["changes"][SHOWN:] == [
        "0.nfo is written",
        "old.avi goes into the recycle folder",
        "the sources go: its client let it go",
    ]
    assert (told["files"], told["left"]) == (40, [])
