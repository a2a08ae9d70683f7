"""``python -m tests.crash``: prove that nothing is done twice; FULL=1 for every boundary there is.

Writes what it saw to ``.results/crash.json`` (or ``--out``), tells it as a table, and ends with 1
when a promise did not hold or a control build was not caught.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import anyio

from tests.crash.driver import TOP
from tests.crash.proof import Proven, proven
from tests.crash.table import table
from tests.crash.tracing import is_there

RESULTS = TOP / ".results" / "crash.json"


def main() -> int:
    """Prove, write, tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the summary goes")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3)))
    asked = parser.parse_args()
    if not is_there():
        sys.stderr.write("strace is not installed (scripts/services proof)\n")
        return 2
    seen = prove(asked.out, full=os.environ.get("FULL") == "1", seed=asked.seed, tell=_tell)
    sys.stdout.write(table(seen))
    return 1 if seen.failures else 0


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def prove(
    out: Path, *, full: bool, seed: int, tell: Callable[[str], None] = lambda _: None
) -> Proven:
    """Prove it in a folder that is kept only if something is wrong."""
    folder = Path(tempfile.mkdtemp(prefix="matinee-crash-"))
    seen = anyio.run(lambda: proven(folder, full=full, seed=seed, tell=tell))
    seen.written(out)
    if not seen.failures:
        shutil.rmtree(folder)
    return seen


if __name__ == "__main__":
    sys.exit(main())
