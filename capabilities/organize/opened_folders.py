"""The folders that an organise plan is carried out between, held open."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.organize.import_plan import OrganizePlan
from capabilities.rules.works import WorkKind


@asynccontextmanager
async def opened_folders(
    folders: Folders, wanted: OrganizePlan
) -> AsyncGenerator[tuple[Root, Root, dict[str, Root]]]:
    """The download folder, the library, and the other libraries from which files are taken.

    Raises:
        HaltError: refused; one of those is no library any more.
        WorldFaultError: one of them is not there.
    """
    libraries = {str(folders.library(kind)): kind for kind in WorkKind}
    others = {old.folder for old in wanted.old} - {wanted.folder}
    if not others <= libraries.keys():
        raise HaltError(
            Refused(
                Code.CONFLICT,
                "A file to be replaced is in a folder that is no library any more.",
                {"do": "Plan it again with organize__plan."},
            )
        )
    async with AsyncExitStack() as stack:

        async def opened(folder: Path, system: str) -> Root:
            return await stack.enter_async_context(roots.opened(folder, system))

        sources = await opened(folders.downloads, "the download folder")
        kind = wanted.kind
        library = await opened(folders.library(kind), f"the library {folders.name(kind)}")
        yield (
            sources,
            library,
            {
                other: await opened(Path(other), f"the library {folders.name(libraries[other])}")
                for other in sorted(others)
            },
        )
