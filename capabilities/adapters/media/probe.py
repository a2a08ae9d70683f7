"""Whether a file is a readable video, and what it holds, by libmediainfo inside this process."""

import json

from pydantic import ValidationError
from pymediainfo import MediaInfo

from capabilities.adapters.media.facts import MediaFacts
from capabilities.adapters.media.report import Report
from capabilities.adapters.shelf.faults import translated
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import DeclinedError


async def inspect(root: Root, relative: str) -> MediaFacts | None:
    """Read a video's container, without decoding pictures; tens of milliseconds.

    The file is handed over open, so that no name is ever taken for an address, or for a list of
    further files to read.

    Returns:
        None when the file is no video, whatever its name says.

    Raises:
        DeclinedError: nothing is there, or it is a link, a folder or a device.
        UnreachableError: the disk failed.
    """
    return await off_loop(_inspect, root, relative)


def _inspect(root: Root, relative: str) -> MediaFacts | None:
    with (
        root.file(relative) as handle,
        translated(root.system),
        open(handle, "rb", closefd=False) as file,
    ):
        text = MediaInfo.parse(file, output="JSON", full=False)
    try:
        # the report may carry the file's own control characters unescaped
        return Report.model_validate(json.loads(text, strict=False)).facts()
    except (json.JSONDecodeError, ValidationError) as error:
        raise DeclinedError(
            root.system, "MediaInfo's report about a file makes no sense. Treat it as damaged."
        ) from error
