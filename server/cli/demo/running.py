"""From the command line to the demo and back."""

import anyio

from server.cli.demo.faults import DemoFailedError
from server.cli.demo.playing import Options, Played, play
from server.cli.demo.showing import Screen
from server.cli.exits import EndError
from server.cli.printing import Speech


async def run_demo(speech: Speech, ask: bool, keep: bool) -> None:
    """Play, print, and end; with ``keep`` only when interrupted.

    Raises:
        DemoFailedError: something is not as the demo promises.
    """
    screen = Screen(speech)
    try:
        async with play(Options(ask=ask, keep=keep), screen) as played:
            speech.document(played.document())
            screen.heading(f"Done in {played.duration_s:.1f} s.")
            if keep:
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


async def _stay(screen: Screen, played: Played) -> None:
    screen.heading("Everything is left running; Ctrl-C ends the world, `matinee stop` the server.")
    for name, address in played.addresses.items():
        screen.step(f"{name}: {address}")
    await anyio.sleep_forever()
