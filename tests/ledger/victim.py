"""A process to be killed in the middle of its segments; takes a home."""

import sys
from pathlib import Path

import anyio

from ledger.engine import Standing
from ledger.ledger import opened
from tests.ledger.segments import KIND, Stage


async def _main(home: Path) -> None:
    async with opened(home) as ledger:
        stage = Stage(ledger)
        ledger.engine.handle(KIND, "background", stage.handle)
        await ledger.engine.launch()

        async def hang(_subject: str, _epoch: int) -> None:
            await anyio.sleep_forever()

        async def end_and_hang(subject: str, _epoch: int) -> None:
            await ledger.write(lambda tx: ledger.engine.end(tx, KIND, subject))
            await anyio.sleep_forever()

        await stage.start("over", end_and_hang)
        await stage.start("victim", hang)
        await stage.entered("victim", 1)
        await stage.comes_to("over", Standing.ENDED)
        sys.stdout.write("in the middle\n")
        sys.stdout.flush()
        await anyio.sleep_forever()


if __name__ == "__main__":
    anyio.run(_main, Path(sys.argv[1]))
