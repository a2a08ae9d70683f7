"""Writing a small file of ours onto a shelf: never half of it, never over another."""

import os
import stat
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256

from anyio import CancelScope

from capabilities.adapters.shelf.digests import digest_of
from capabilities.adapters.shelf.exclusive import refuse_taken, take_name
from capabilities.adapters.shelf.faults import (
    CheckFailedError,
    LeftoverError,
    NotFoundError,
    ObstructedError,
    translated,
)
from capabilities.adapters.shelf.leftovers import refuse_temporary, temporary_name
from capabilities.adapters.shelf.placements import Entry, Step
from capabilities.adapters.shelf.probes import Standing
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.spots import Spot
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel import fault_points
from capabilities.kernel.faults import LostAnswerError, WorldFaultError

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Text:
    """What is to stand at ``target`` (relative to the shelf), byte by byte."""

    target: str
    content: bytes

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal."""
        return sha256(self.content).hexdigest()


async def write_text(
    text: Text, *, shelf: Root, token: str, journal: Callable[[Entry], Awaitable[None]]
) -> None:
    """Bring a text to its place by way of a temporary name, as `placing.place` does with a file.

    It is flushed and read again under that name, and takes its own if and only if nothing has it.
    A death at any moment leaves the target absent or whole; an error or a cancellation before the
    name was given takes the temporary file away again.

    Args:
        text: what is written, and where; missing folders are made.
        shelf: the library.
        token: of this attempt alone (`leftovers.token_for`).
        journal: is told each `Step`, and done with it, before the next one is begun.

    Raises:
        TargetExistsError: something has the name; it was left as it is.
        DeclinedError: another fault of `capabilities.adapters.shelf.faults`; nothing was written.
        UnreachableError: the disk failed or is full; nothing was written.
        LostAnswerError: the disk failed after the naming had begun; only a look can tell.
    """
    parent, name = shelf.split(text.target)
    refuse_temporary(shelf, name)
    await journal(Entry(Step.PLANNED))
    held = ExitStack()
    try:
        folder = await off_loop(held.enter_context, shelf.folder(parent, make=True))
        spot = Spot(folder, temporary_name(token), shelf.system)
        attempt = _Attempt(text, shelf, spot, name, held)
        handle = await off_loop(attempt.write)
        await journal(Entry(Step.TEMPORARY_WRITTEN))
        await off_loop(attempt.check, handle)
        await journal(Entry(Step.CHECKED, text.digest))
        await off_loop(take_name, spot, handle, name)
        await journal(Entry(Step.RENAMED, text.digest))
        await off_loop(attempt.flush, handle)
        await journal(Entry(Step.FLUSHED, text.digest))
    finally:
        with CancelScope(shield=True):
            await off_loop(held.close)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One try, from `spot` to `name` in one folder; the methods block."""

    text: Text
    shelf: Root
    spot: Spot
    name: str
    held: ExitStack

    def write(self) -> int:
        """Write and flush it under the temporary name; the file stays open until all is over."""
        refuse_taken(self.spot.folder, self.name, self.spot.system)
        fault_points.at("before_text")
        with translated(self.spot.system):
            try:
                handle = os.open(self.spot.name, _NEW, 0o666, dir_fd=self.spot.folder)
            except FileExistsError as error:
                raise LeftoverError(
                    self.spot.system,
                    "An earlier attempt left its temporary file. Clean it up, then try again.",
                ) from error
            self.held.callback(os.close, handle)
            self.held.callback(self.spot.remove, handle)
            fault_points.at("text_begun")
            with open(handle, "wb", closefd=False) as file:
                file.write(self.text.content)
            os.fsync(handle)
        return handle

    def check(self, handle: int) -> None:
        """Read again what stands under the temporary name."""
        self.spot.confirm(handle)
        with translated(self.spot.system):
            if digest_of(handle) != self.text.digest:
                raise CheckFailedError(
                    self.spot.system,
                    "What was written is not what is read, so it was thrown away. Check the disk.",
                )

    def flush(self, handle: int) -> None:
        """Put the new name on the disk, and see from the root that it is this file's."""
        try:
            with translated(self.spot.system):
                os.fsync(self.spot.folder)
            now = self.shelf.status(self.text.target)
        except WorldFaultError as fault:
            raise self._unconfirmed(fault.sentence) from fault
        if not os.path.samestat(now, os.fstat(handle)):
            raise self._unconfirmed("Something else has its name by now.")

    def _unconfirmed(self, reason: str) -> LostAnswerError:
        return LostAnswerError(self.spot.system, f"After a file had been written: {reason}")


async def text_standing(shelf: Root, target: str, digest: str) -> Standing:
    """Whether a file with exactly these bytes stands there, `digest` as of `Text`."""
    try:
        return await off_loop(_standing, shelf, target, digest)
    except NotFoundError:
        return Standing.ABSENT
    except ObstructedError:
        return Standing.OCCUPIED
    except WorldFaultError:
        return Standing.UNKNOWN


def _standing(shelf: Root, target: str, digest: str) -> Standing:
    if not stat.S_ISREG(shelf.status(target).st_mode):
        return Standing.OCCUPIED
    with shelf.file(target) as handle, translated(shelf.system):
        return Standing.PLACED if digest_of(handle) == digest else Standing.OCCUPIED
