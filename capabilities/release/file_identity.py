"""Which work each video of a release is, as far as the metadata sources answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import anyio

from capabilities.adapters.downloader.torrent_file import Torrent
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.name_reading import read
from capabilities.adapters.metadata.pack_reading import PackFile, read_pack
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import HaltError
from capabilities.rules.dangerous import danger
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.pack_identity import videos_among
from capabilities.rules.works import Work

FILES_S: Final = 8.0
"""Seconds for everything that the sources are asked of the files of one release."""
TITLES_S: Final = 6.0
"""Of them, for the titles that only files bear."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A release's name, and what is known of it besides.

    Attributes:
        ids: what its indexer says that it is, or all numbers of the work it was identified as.
        work: the work it was found or identified for.
    """

    title: str
    ids: Mapping[str, str]
    work: Work | None


@dataclass(frozen=True, slots=True)
class FileIdentities:
    """By path; ``open`` says why none is known where a source was silent."""

    by_path: Mapping[str, PackFile]
    open: str | None = None

    @property
    def not_asked(self) -> int:
        """How many files are not identified because their titles were not searched for."""
        return sum(each.not_asked is not None for each in self.by_path.values())


async def file_identities(
    claimed: Claimed,
    torrent: Torrent,
    policy: IdentityPolicy,
    context: Context,
    *,
    seconds: float = FILES_S,
) -> FileIdentities:
    """Identify every video; never fails, for the dangers of a release are told in any case."""
    files = [DownloadedFile(each.path, each.size) for each in torrent.shown()]
    videos = videos_among([each for each in files if danger(each.path) is None])
    if not videos:
        return FileIdentities({})
    try:
        with anyio.fail_after(seconds):
            told = await _told(videos, claimed, policy, context)
    except TimeoutError:
        late = f"The metadata sources did not answer within {seconds:g} s; try again later."
        return FileIdentities({}, late)
    except WorldFaultError as fault:
        return FileIdentities({}, f"{fault.system}: {fault.sentence}")
    except HaltError as halted:
        return FileIdentities({}, halted.outcome.sentence)
    return FileIdentities({each.file.path: each for each in told})


async def _told(
    videos: Sequence[str], claimed: Claimed, policy: IdentityPolicy, context: Context
) -> list[PackFile]:
    known = [] if claimed.work is None else [claimed.work]
    catalogue = context.part(Catalogue, "metadata source")
    held = await read(claimed.title, claimed.ids, known, policy, catalogue)
    return await read_pack(videos, claimed.ids, held, policy, catalogue, seconds=TITLES_S)
