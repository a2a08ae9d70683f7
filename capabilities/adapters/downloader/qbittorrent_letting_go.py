"""Letting a torrent run that was added stopped: its names are judged, its files chosen first."""

from capabilities.adapters.downloader.qbittorrent_live import Live

NO_SUCH_FILES = (
    "It does not have the files that were chosen, so nothing of it is downloaded. Look at its"
    " files and choose again."
)
NOT_CHOSEN = "It did not take the choice of files, so nothing of it is downloaded."


async def let_go(live: Live, id_: str, *, start: bool = True) -> str | None:
    """Do what is left of adding a torrent, with its turn held; twice does no harm.

    Without metadata nothing is done yet. What must not run stays stopped, and is in `Live.held`.

    Returns:
        The sentence, if it must not run.

    Raises:
        WorldFaultError: as calls fail; what is left then is done at a later look.
    """
    row, notes = live.row(id_), live.notes(id_)
    if row is None or not row.has_metadata:
        return None
    layout = await live.files.layout(id_)
    if layout is None:
        return None
    trouble = layout.refused
    if trouble is None and notes.wanted is not None:
        chosen = frozenset(notes.wanted)
        if not chosen or not chosen <= {file.index for file in layout.files}:
            trouble = NO_SUCH_FILES
        elif not await live.files.choose(id_, layout, chosen):
            trouble = NOT_CHOSEN
    if trouble is not None:
        live.held[id_] = trouble
        if not live.is_stopped(id_):
            await live.stop(id_)
        return trouble
    if start and not notes.paused_by_us:
        await live.start(id_)
    await live.untag(id_, *notes.of_adding)
    await _strike_out(live, notes.of_adding)
    return None


async def forget(live: Live, id_: str, *, delete_data: bool) -> None:
    """Have a torrent forgotten, with its turn held.

    Raises:
        LostAnswerError: whether it was is not known.
        WorldFaultError: as calls fail.
    """
    tags = live.notes(id_).of_adding
    await live.act("delete", id_, deleteFiles="true" if delete_data else "false")
    await live.until(
        lambda: live.row(id_) is None, "It was told to forget a torrent and shows it still."
    )
    live.forget(id_)
    await _strike_out(live, tags)


async def _strike_out(live: Live, tags: frozenset[str]) -> None:
    """Take tags that name a choice of files, which is one torrent's, out of the owner's list."""
    for tag in tags:
        if " " in tag:
            await live.session.act("torrents/deleteTags", {"tags": tag})
