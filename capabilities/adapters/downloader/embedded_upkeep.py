"""What the embedded client does by itself: it looks, writes down, and sees to what came late."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread
import libtorrent as lt
from anyio.abc import TaskGroup

from capabilities.adapters.downloader.changes import ChangeFeed
from capabilities.adapters.downloader.embedded_entry import Entry, learned, restored, selection
from capabilities.adapters.downloader.embedded_kept import Kept, KeptTorrents
from capabilities.adapters.downloader.embedded_profile import Profile
from capabilities.adapters.downloader.embedded_reading import Phase, Reading
from capabilities.adapters.downloader.embedded_session import LiveSession
from capabilities.adapters.downloader.embedded_task import Task
from capabilities.adapters.downloader.embedded_tasks import Tasks
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from capabilities.kernel.faults import DeclinedError, WorldFaultError

_CLOSE_S = 30


Work = Callable[[Task], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds on the monotonic clock.

    Attributes:
        stall_after_s: without peers and without a byte, after which a torrent counts as stalled.
        keep_every_s: between two times that progress is written down; a crash costs that much.
        look_every_s: between two looks at everything.
        metadata_s: for which peers are asked what a magnet stands for.
    """

    stall_after_s: float = 600
    keep_every_s: float = 10
    look_every_s: float = 0.5
    metadata_s: float = 30


class Upkeep:
    """Every torrent of the session, kept in step with the session and with the state folder.

    Decisions follow from the last reading alone, and every look takes them anew, so that a lost
    alert costs one look and nothing more.
    """

    def __init__(
        self, system: str, kept: KeptTorrents, profile: Profile, timing: Timing, group: TaskGroup
    ) -> None:
        self.tasks = Tasks()
        self.feed = ChangeFeed()
        self.kept = kept
        self._timing = timing
        self._group = group
        self._flags = profile.torrent_flags()
        self.listen_port = profile.listen_port
        self.live = LiveSession(system, profile.pack(), self._observe)

    async def restore(self) -> None:
        """Take up everything that was kept, and let run what may."""
        entries = [
            await anyio.to_thread.run_sync(restored, one) for one in await self.kept.read_all()
        ]
        # A crash while a magnet's second hash was learned leaves it under two keys.
        for entry in sorted(entries, key=lambda entry: (entry.intent.order, not entry.files)):
            if self.tasks.same_as(entry.hashes) is not None:
                await self.kept.forget(entry.key)
                continue
            try:
                await self.enter(entry, starting=True)
            except DeclinedError as error:
                self.kept.left_out = f"A saved torrent was left out. {error.sentence}"
        self._group.start_soon(self._look_regularly)
        self._group.start_soon(self._keep_regularly)

    async def enter(self, entry: Entry, *, starting: bool = False) -> Task:
        """Bring a torrent into the session; a restored one waits there until it was judged."""
        task = Task(
            handle=await self._place(entry, held=starting),
            key=entry.key,
            name=entry.name,
            save_path=Path(entry.params.save_path),
            hashes=entry.hashes,
            intent=entry.intent,
            quiet_since=anyio.current_time(),
            files=entry.files,
            refused=entry.refused,
            starting=starting,
            claimed=any(entry.params.have_pieces),
        )
        await self._inspect(task)
        self._see_to(task)
        self.tell(task)
        return task

    async def keep(self, task: Task) -> Kept | None:
        """Write a torrent down as it is, with its turn held; None if libtorrent lost it.

        Raises:
            OSError: it could not be written; what was kept before still is.
            LostAnswerError: libtorrent did not answer.
        """
        mark, finished = task.reading.mark, task.reading.finished
        resume = await self.live.snapshot(task.handle, flush=bool(task.files))
        if resume is None:
            return None
        kept = Kept(task.key, task.intent, resume)
        task.settled = task.settled or finished
        await self.kept.write(kept)
        task.kept = mark
        return kept

    async def recheck(self, task: Task) -> None:
        """Begin to hash everything anew, with the turn held; it stands still after that.

        Raises:
            OSError, LostAnswerError: as in `keep`.
        """
        if task.rechecking:
            return
        before = task.intent
        task.intent = before.model_copy(update={"recheck": True, "missing": False})
        try:
            await self.keep(task)
        except (OSError, WorldFaultError):
            task.intent = before
            raise
        task.settled = False
        task.handle.set_flags(lt.torrent_flags.stop_when_ready)
        task.handle.clear_error()
        task.handle.force_recheck()
        task.handle.resume()
        # What is read after this comes from after the request.
        await self.live.refresh()
        task.rechecking = True

    def tell(self, task: Task) -> None:
        """Let readers of the changes know, if there is something to know."""
        reading = task.reading
        state = task.state(anyio.current_time(), self._timing.stall_after_s)
        now = (state, reading.wanted, reading.done, bool(reading.peers), task.key)
        if now != task.told:
            task.told = now
            self.feed.publish(task.key)

    async def aclose(self) -> None:
        """Write down what is not yet, and end the session."""
        self.feed.close()
        if not self.live.is_open:
            return
        with anyio.move_on_after(_CLOSE_S), suppress(WorldFaultError):
            await self.live.pause()
            for task in self._unkept():
                await self._quietly(task, self.keep)
        await self.live.aclose()

    async def _place(self, entry: Entry, *, held: bool) -> lt.torrent_handle:
        held = held or entry.refused is not None or entry.intent.paused_by is not None
        return await self.live.add(entry.flagged(self._flags, held=held))

    async def _inspect(self, task: Task) -> None:
        """Know a torrent by its handle, then look at it, so that no news in between is lost."""
        self.tasks.put(task)
        reading, priorities = await self.live.inspect(task.handle)
        task.observe(reading, anyio.current_time())
        task.chosen = frozenset(file.index for file in task.files if priorities[file.index])

    def _observe(self, handle: lt.torrent_handle, reading: Reading) -> None:
        task = self.tasks.handled(handle)
        if task is None:
            return
        task.observe(reading, anyio.current_time())
        self._see_to(task)
        self.tell(task)

    def _see_to(self, task: Task) -> None:
        work = None if task.busy or task.gone else self._due(task)
        if work is not None:
            task.busy = True
            self._group.start_soon(self._attend, task, work)

    def _due(self, task: Task) -> Work | None:
        reading = task.reading
        if task.starting:
            return None if reading.phase is Phase.STARTING else self._let_go
        if task.refused is not None or task.intent.missing:
            return None
        if reading.has_metadata and not task.files:
            return self._learn
        if task.intent.recheck:
            return self._due_in_recheck(task)
        return self.keep if reading.finished and not task.settled else None

    def _due_in_recheck(self, task: Task) -> Work | None:
        if not task.rechecking:
            return self.recheck
        over = task.reading.phase not in {Phase.CHECKING, Phase.STARTING}
        return self._end_recheck if over else None

    async def _attend(self, task: Task, work: Work) -> None:
        done = await self._quietly(task, work, due=True)
        task.busy = False
        if done and self.live.is_open:
            self._see_to(task)
            self.tell(task)

    async def _quietly(self, task: Task, work: Work, *, due: bool = False) -> bool:
        """Do it with the turn held; what was ``due``, if it still is. Trouble is noted."""
        try:
            async with task.turn:
                # Half of it is worse than all of it; libtorrent's answers have a time limit.
                with anyio.CancelScope(shield=True):
                    if not (task.gone or (due and self._due(task) != work)):
                        await work(task)
        except OSError:
            return False
        except WorldFaultError as fault:
            self.kept.trouble = fault.sentence
            return False
        return True

    async def _let_go(self, task: Task) -> None:
        """Decide about a restored torrent, now that libtorrent has judged its resume data."""
        task.starting = False
        if task.refused is not None or task.intent.missing:
            await self.keep(task)
        elif task.claimed and task.reading.phase is Phase.CHECKING and not task.intent.recheck:
            # libtorrent did not find what was promised, and would fetch it again in silence.
            task.intent = task.intent.model_copy(update={"missing": True})
            await self.keep(task)
        else:
            task.settled = task.reading.finished
            task.kept = task.reading.mark
            if task.intent.paused_by is None:
                task.handle.resume()

    async def _learn(self, task: Task) -> None:
        """Judge metadata that came from a peer, then begin from the top with what is known now."""
        resume = await self.live.snapshot(task.handle, flush=False)
        if resume is None:
            return
        try:
            entry = await anyio.to_thread.run_sync(learned, resume, task.intent)
        except BadTorrentError as error:
            task.refused = error.sentence
            task.handle.pause()
            await self.keep(task)
            return
        await self.kept.write(entry.kept())
        if entry.key != task.key:
            await self.kept.forget(task.key)
        await self._reenter(task, entry)
        if task.chosen != selection(task.intent, task.files):
            task.refused = "The files that were chosen could not be set. Remove it and add it anew."
            task.handle.pause()

    async def _end_recheck(self, task: Task) -> None:
        task.rechecking = False
        task.intent = task.intent.model_copy(update={"recheck": False})
        kept = await self.keep(task)
        if kept is None or task.held:
            return
        if task.reading.finished:
            task.handle.resume()
        else:
            # libtorrent 2.1.1 does not connect again to peers that it heard of while it had
            # everything, so a torrent that lost some of it begins from the top.
            await self._reenter(task, await anyio.to_thread.run_sync(restored, kept))

    async def _reenter(self, task: Task, entry: Entry) -> None:
        await self.live.drop(task.handle)
        task.handle = await self._place(entry, held=False)
        task.key, task.name, task.hashes = entry.key, entry.name, entry.hashes
        task.intent, task.files = entry.intent, entry.files
        await self._inspect(task)

    async def _look_regularly(self) -> None:
        while self.live.is_open:
            self.live.ask()
            for task in self.tasks:
                self._see_to(task)
                self.tell(task)
            await anyio.sleep(self._timing.look_every_s)

    async def _keep_regularly(self) -> None:
        while self.live.is_open:
            await anyio.sleep(self._timing.keep_every_s)
            for task in self._unkept():
                await self._quietly(task, self.keep)

    def _unkept(self) -> list[Task]:
        return [task for task in self.tasks if task.kept != task.reading.mark]
