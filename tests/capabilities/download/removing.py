"""Downloads that may be removed, who may ask for it, and everything that lies around them."""

from pathlib import Path

from capabilities.download.remove import Input, target_of
from capabilities.kernel.actors import client
from capabilities.kernel.context import Context
from capabilities.kernel.targets import Target
from ledger.clock import new_id
from ledger.stores import claims
from ledger.stores.claims import Claim
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.downloads import DownloadRow
from tests.ledger.rows import new_claim
from tests.scene import IMPORT, OWNER, SCOPES, VIDEO, Scene
from world.stage import RELEASE

REMOVE = "download.remove"
ASKER = client("laptop", SCOPES | {REMOVE, "download.recheck", "task.retry", "task.cancel"})

Listing = dict[str, tuple[int, int, int]]


def listing(scene: Scene, *, links: bool = False) -> Listing:
    """Everything that stands in the download folder and the libraries: inode, size, names."""
    found: Listing = {}
    for root in (scene.folders.downloads, scene.folders.films, scene.folders.series):
        for path in [root, *sorted(root.rglob("*"))]:
            now = path.lstat()
            size = 0 if path.is_dir() and not path.is_symlink() else now.st_size
            found[str(path.relative_to(scene.base.folder))] = (
                now.st_ino,
                size,
                now.st_nlink if links else 0,
            )
    return found


def source(scene: Scene, suffix: str = ".mkv") -> Path:
    return scene.folders.downloads / RELEASE / f"{RELEASE}{suffix}"


async def imported(scene: Scene) -> DownloadRow:
    """A download that stands in the library, by the capabilities that put it there."""
    row = await scene.arrived()
    await scene.turn(row.id, "completed", completed_at=scene.ledger.now(), done=row.size)
    plan = (await scene.answer("organize.plan", IMPORT, download=row.id))["plan"]
    await scene.answer("organize.execute", IMPORT, plan=plan)
    now = await scene.download(row.id)
    assert now.state == "imported", now
    return now


def took(before: Listing, after: Listing) -> set[str]:
    """What is gone; everything else must be as it was."""
    assert {path: held for path, held in before.items() if path in after} == after
    return before.keys() - after.keys()


def own(*names: str) -> set[str]:
    """Paths of the release in the download folder, as a listing has them."""
    folder = f"downloads/{RELEASE}"
    return {folder, *(f"{folder}/{RELEASE}{name}" for name in names)}


async def frozen(scene: Scene, download: str) -> Target:
    """What a removal with its data would be claimed under now."""
    context = Context(OWNER, scene.ledger, scene.parts, "request", "call")
    return await target_of(Input(download=download, delete_data=True), context)


async def dead_removal(scene: Scene, row: DownloadRow) -> Claim:
    """The claim of a process that died while it removed this one with its data."""
    aim = await frozen(scene, row.id)
    new = new_claim(
        capability=REMOVE,
        actor=str(ASKER),
        principal=ASKER.principal,
        request="before",
        call_id=new_id("call"),
        key=new_id("key"),
        natural_key=aim.natural_key,
        worker="dead",
        target=aim.stored(),
        plan=None,
        plan_hash=None,
        plan_revision=None,
        authority=None,
    )
    at = scene.ledger.now()
    claim = await scene.write(lambda tx: claims.claim(tx, new, at))
    await scene.write(lambda tx: claims.disown(tx, scene.ledger.worker))
    return claim


def in_claim(scene: Scene, claim: Claim) -> Context:
    """Where a handler finds itself under that claim."""
    return Context(OWNER, scene.ledger, scene.parts, "request", "call", invocation=claim.id)


def failed_import(download: str) -> NewDecision:
    return NewDecision(DecisionKind.OTHER, f"import:{download}", "It could not be imported")


def replaced(scene: Scene) -> None:
    """The same name and the same bytes, and yet another file."""
    there = source(scene)
    held = there.read_bytes()
    there.unlink()
    there.write_bytes(held)


def grown(scene: Scene) -> None:
    with source(scene).open("ab") as file:
        file.write(b"more")


def joined(scene: Scene) -> None:
    (source(scene).parent / "the-owners.txt").write_text("a note", "utf-8")


def lost_by_the_library(scene: Scene) -> None:
    (scene.folders.films / VIDEO).unlink()


CHANGES = [replaced, grown, joined, lost_by_the_library]
