"""A torrent of Transmission as the port describes it."""

from pathlib import Path
from typing import Final

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import ClientState, FileProgress, Pauser, Transfer
from capabilities.adapters.downloader.torrent_names import BadTorrentError, check_paths
from capabilities.adapters.downloader.transmission_row import FullRow, Row, Status
from capabilities.rules.outside_text import cleaned

_NOT_THERE: Final = (
    "It does not have the files that were chosen, so nothing of it is downloaded. Look at its"
    " files and choose again."
)
_PAUSED = {Pauser.US: ClientState.PAUSED_BY_US, Pauser.OWNER: ClientState.PAUSED_BY_OWNER}


def state_of(row: Row, *, quiet: bool) -> ClientState:
    """The one word for it.

    Args:
        row: what Transmission says.
        quiet: whether there were no peers and no progress for as long as makes a stall.
    """
    notes = row.notes
    if notes.refused:
        return ClientState.FAILED
    if row.checking:
        return ClientState.CHECKING
    if row.broken:
        return ClientState.MISSING_FILES if row.missing else ClientState.FAILED
    if row.complete and row.status is not Status.FETCHES:
        return ClientState.SEEDING if row.status is Status.SEEDS else ClientState.COMPLETED
    if row.stopped and not notes.adding:
        return _PAUSED[notes.paused_by or Pauser.OWNER]
    if row.stopped or row.status is Status.WAITS_TO_FETCH:
        return ClientState.QUEUED
    if quiet:
        return ClientState.STALLED
    return ClientState.DOWNLOADING if row.has_metadata else ClientState.METADATA


def transfer_of(row: FullRow, *, quiet: bool) -> Transfer:
    """Everything about it."""
    state = state_of(row, quiet=quiet)
    files = _file_progress(row)
    taken = max(row.downloaded_ever, row.have_valid)
    return Transfer(
        hashes=InfoHashes(v1=row.hash_string),
        name=row.name,
        state=state,
        wanted_bytes=sum(file.size for file in files if file.wanted),
        done_bytes=sum(file.done for file in files if file.wanted),
        down_rate=row.rate_download,
        up_rate=row.rate_upload,
        peers=row.peers_connected,
        save_path=Path(row.download_dir),
        category=row.notes.category,
        files=files,
        error=_sentence(row) if state is ClientState.FAILED else None,
        ratio=row.uploaded_ever / taken if taken else 0.0,
        seeding_s=row.seconds_seeding,
        stopped_at_limit=_at_limit(row, state),
    )


def brief_of(row: Row) -> Transfer:
    """One that is none of ours, of which an owner may have thousands: its files are not told."""
    taken = max(row.downloaded_ever, row.have_valid)
    state = state_of(row, quiet=False)
    return Transfer(
        hashes=InfoHashes(v1=row.hash_string),
        name=row.name,
        state=state,
        wanted_bytes=row.size_when_done,
        done_bytes=max(0, row.size_when_done - row.left_until_done),
        down_rate=row.rate_download,
        up_rate=row.rate_upload,
        peers=row.peers_connected,
        save_path=Path(row.download_dir),
        category=row.notes.category,
        error=_broken(row) if state is ClientState.FAILED else None,
        ratio=row.uploaded_ever / taken if taken else 0.0,
        seeding_s=row.seconds_seeding,
        stopped_at_limit=_at_limit(row, state),
    )


def _at_limit(row: Row, state: ClientState) -> bool:
    """Whether it stopped it itself; a ratio that was reached stays so whoever stopped it."""
    return row.is_finished and state is ClientState.COMPLETED and row.notes.paused_by is None


def unsafe_name(row: FullRow) -> str | None:
    """Why its names must not be written, or None; judged as Transmission reads them."""
    try:
        check_paths(tuple(map(_bytes, path.split("/"))) for path in row.paths)
    except BadTorrentError as error:
        return error.sentence
    return None


def _bytes(part: str) -> bytes:
    return part.encode("utf-8", "surrogateescape")


def _file_progress(row: FullRow) -> tuple[FileProgress, ...]:
    wanted, done = row.wanted, row.done()
    return tuple(
        FileProgress(
            index=index, path=file.name, size=file.length, done=done[index], wanted=index in wanted
        )
        for index, file in enumerate(row.files)
        if not file.pad
    )


def refusal(row: FullRow) -> str:
    """Why a torrent whose files became known late was stopped."""
    return unsafe_name(row) or _NOT_THERE


def _sentence(row: FullRow) -> str:
    if row.notes.refused:
        return refusal(row)
    return _broken(row)


def _broken(row: Row) -> str:
    return (
        f'Transmission stopped it: "{cleaned(row.error_string)}". Check the download folder, then'
        " resume it."
    )
