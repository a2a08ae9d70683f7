"""What stands of the files of ours that a plan names, as the shelf shows it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from capabilities.adapters.shelf.probes import Standing
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.texts import text_standing
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.probing import Finding, Verdict
from capabilities.organize.import_plan import WrittenFile
from capabilities.rules.wording import counted

WRITTEN = "written"
"""How such a file came there, in a record; and where a finding names those that stand."""
NOT_WRITTEN = "not_written"


@dataclass(frozen=True, slots=True)
class WrittenOnShelf:
    """One that stands as it was planned; device, inode, links and size as stat(2) has them."""

    file: WrittenFile
    device: int
    inode: int
    links: int
    size: int

    def told(self, folder: str) -> dict[str, Any]:
        """As its record keeps it: no file of the download is its source."""
        return {
            "source": "",
            "target": self.file.target,
            "folder": folder,
            "role": self.file.role,
            "size": self.size,
            "device": self.device,
            "inode": self.inode,
            "digest": self.file.digest,
            "links": self.links,
            "way": WRITTEN,
        }


def expected(files: Iterable[WrittenFile]) -> list[dict[str, str]]:
    """What a claim keeps of them, for a look after a death: where, and by which bytes."""
    return [{"target": one.target, "digest": one.digest} for one in files]


async def on_shelf(library: Root, files: Iterable[WrittenFile]) -> list[WrittenOnShelf]:
    """Those that stand there, byte by byte.

    Raises:
        WorldFaultError: the library cannot be looked at.
    """
    found: list[WrittenOnShelf] = []
    for one in files:
        if await text_standing(library, one.target, one.digest) is Standing.PLACED:
            now = await off_loop(library.status, one.target)
            found.append(WrittenOnShelf(one, now.st_dev, now.st_ino, now.st_nlink, now.st_size))
    return found


def not_written(files: Sequence[WrittenFile], found: Sequence[WrittenOnShelf]) -> list[str]:
    """The sentence about those that are not ours, none where all are."""
    ours = {one.file.target for one in found}
    others = [one.target for one in files if one.target not in ours]
    if not others:
        return []
    many = counted(len(others), "NFO file")
    had = "was there already and was" if len(others) == 1 else "were there already and were"
    return [f"{many} {had} left as found, {others[0]} first."]


async def with_written(
    library: Root, files: Sequence[Mapping[str, str]], finding: Finding
) -> Finding:
    """A finding about the placed files, with these taken into account.

    They are written last, so they say something only where everything else stands: then one that
    is missing makes it a part. One whose name something else has does so too, since what carries
    it to its end decides that.

    Args:
        library: that they stand in.
        files: as `expected`.
        finding: about the files of the download.
    """
    if not files or finding.verdict is not Verdict.APPLIED:
        return finding
    seen: dict[Standing, list[str]] = {}
    for one in files:
        standing = await text_standing(library, one["target"], one["digest"])
        seen.setdefault(standing, []).append(one["target"])
    written = seen.pop(Standing.PLACED, [])
    missing = [target for targets in seen.values() for target in targets]
    verdict = Verdict.APPLIED
    if missing:
        verdict = Verdict.CANNOT_TELL if Standing.UNKNOWN in seen else Verdict.PARTLY
    told = {name: some for name, some in ((WRITTEN, written), (NOT_WRITTEN, missing)) if some}
    return Finding(verdict, {**finding.evidence, **told})
