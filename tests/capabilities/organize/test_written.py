from collections.abc import Iterator
from pathlib import Path

import pytest

from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.probing import Finding, Verdict
from capabilities.organize.import_plan import WrittenFile
from capabilities.organize.written import expected, not_written, on_shelf, with_written

pytestmark = pytest.mark.anyio
ONE = WrittenFile(target="Film/Film.nfo", text="<movie>火</movie>\n")
TWO = WrittenFile(target="Film/tvshow.nfo", text="<tvshow/>\n")
APPLIED = Finding(Verdict.APPLIED, {"placed": ["Film/Film.mkv"]})


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Root]:
    (tmp_path / "Film").mkdir()
    with Root(tmp_path, "the library") as root:
        yield root


def put(library: Root, file: WrittenFile) -> Path:
    path = library.path / file.target
    path.write_bytes(file.content)
    return path


async def test_those_that_stand_are_told_as_a_record_keeps_them(library: Root) -> None:
    now = put(library, ONE).stat()
    (found,) = await on_shelf(library, [ONE, TWO])
    told = found.told("/library")
    assert (told["target"], told["role"], told["way"]) == (ONE.target, "nfo", "written")
    assert (told["size"], told["inode"], told["digest"]) == (now.st_size, now.st_ino, ONE.digest)
    assert not_written([ONE, TWO], [found]) == [
        "1 NFO file was there already and was left as found, Film/tvshow.nfo first."
    ]
    assert not_written([ONE], [found]) == []


async def test_a_finding_is_whole_only_with_all_of_them(library: Root) -> None:
    both = expected([ONE, TWO])
    put(library, ONE)
    part = await with_written(library, both, APPLIED)
    assert part.verdict is Verdict.PARTLY
    assert part.evidence["written"] == [ONE.target]
    assert part.evidence["not_written"] == [TWO.target]
    other = put(library, TWO)
    whole = await with_written(library, both, APPLIED)
    assert (whole.verdict, whole.evidence["placed"]) == (Verdict.APPLIED, ["Film/Film.mkv"])
    other.write_bytes(b"theirs")
    assert (await with_written(library, both, APPLIED)).verdict is Verdict.PARTLY


async def test_what_cannot_be_looked_at_leaves_the_finding_open(library: Root) -> None:
    asked = [{"target": "../x.nfo", "digest": ONE.digest}]
    assert (await with_written(library, asked, APPLIED)).verdict is Verdict.CANNOT_TELL


@pytest.mark.parametrize("verdict", [Verdict.NOT_APPLIED, Verdict.PARTLY, Verdict.CANNOT_TELL])
async def test_they_say_nothing_before_everything_else_stands(
    library: Root, verdict: Verdict
) -> None:
    put(library, ONE)
    finding = Finding(verdict)
    assert await with_written(library, expected([ONE]), finding) is finding
