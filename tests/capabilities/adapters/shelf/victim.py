"""A process that places one file, and kills itself at a step when told to.

``python -m tests.capabilities.adapters.shelf.victim DOWNLOADS LIBRARY MODE [STEP]``
"""

import os
import signal
import sys
from pathlib import Path

import anyio

from capabilities.adapters.shelf.placements import Mode, Step
from capabilities.adapters.shelf.roots import Root
from tests.capabilities.adapters.shelf.scene import Scene, at, ignore


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(downloads: str, library: str, mode: str, *step: str) -> None:
    journal = at(Step(step[0]), die) if step else ignore
    with Root(Path(downloads), "downloads") as sources, Root(Path(library), "library") as shelf:
        await Scene(sources, shelf).place(Mode(mode), attempt="victim", journal=journal)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], sys.argv[2], sys.argv[3], *sys.argv[4:])
