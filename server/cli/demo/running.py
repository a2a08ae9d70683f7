"""From the command line to the demo and back."""

import os
import shlex
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from server.cli.demo.faults import DemoFailedError
from server.cli.demo.person import refuse_without_terminal
from server.cli.demo.playing import Options, Played, play
from server.cli.demo.showing import Screen
from server.cli.exits import EndError
from server.cli.hints import Hints
from server.cli.home import Home
from server.cli.printing import Speech


async def run_demo(speech: Speech, options: Options) -> None:
    """Play, print, and end; with `Options.keep` only when interrupted.

    Raises:
        DemoFailedError: something is not as the demo promises.
    """
    screen = Screen(speech)
    if options.ask:
        refuse_without_terminal()
    try:
        async with _ended_by_signals(), play(options, screen) as played:
            speech.document(played.document())
            screen.heading(played.fell_short or f"Done in {played.duration_s:.1f} s.")
            if options.keep:
                await _stay(screen, played)
    except BaseExceptionGroup as several:
        raise _the_one(several) from several
    except TimeoutError as late:
        raise DemoFailedError("It took too long.") from late


def _the_one(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """The demo's own fault among what the streams around it raised on the way out."""
    own, _ = several.split((DemoFailedError, EndError))
    while isinstance(own, BaseExceptionGroup):
        own = own.exceptions[0]
    return several if own is None else own


@asynccontextmanager
async def _ended_by_signals() -> AsyncGenerator[None]:
    """A closed terminal or a polite kill ends the demo as Ctrl-C does: nothing is left behind.

    Raises:
        KeyboardInterrupt: it was ended so.
    """
    told = anyio.Event()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_heed, told, tasks.cancel_scope)
        yield
        tasks.cancel_scope.cancel()
    if told.is_set():
        raise KeyboardInterrupt


async def _heed(told: anyio.Event, scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGHUP) as signals:
        async for _ in signals:
            told.set()
            scope.cancel()


async def _stay(screen: Screen, played: Played) -> None:
    hints = Hints.of(Home(Path(played.addresses["home"])), os.environ)
    screen.heading("Everything is left running. Ctrl-C ends the world; afterwards:")
    screen.step(hints.line("status"))
    screen.step(hints.line("stop"))
    screen.step(shlex.join(("rm", "-r", str(played.folder))))
    for name, address in played.addresses.items():
        screen.step(f"{name}: {address}")
    await anyio.sleep_forever()
