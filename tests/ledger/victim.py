"""A process to be killed in the middle of a segment; takes a home and an act."""

import sys
from pathlib import Path

import anyio

from ledger.ledger import opened
from tests.ledger.segments import KIND, Stage


async def _main(home: Path, act: str) -> None:
    async with opened(home) as ledger:
        stage = Stage(ledger)
        ledger.engine.handle(KIND, "background", stage.handle)
        await ledger.engine.launch()

        async def hang(subject: str, _epoch: int) -> None:
            if act == "end":
                await ledger.write(lambda tx: ledger.engine.end(tx, KIND, subject))
            sys.stdout.write("in the middle\n")
            sys.stdout.flush()
            await anyio.sleep_forever()

        await stage.start("victim", hang)
        await anyio.sleep_forever()


if __name__ == "__main__":
    anyio.run(_main, Path(sys.argv[1]), sys.argv[2])
