"""``make fuzz``: texts made to break the reading of names; no exception, and an answer in time.

Runs in an environment of its own, which has nothing but atheris, for as long as
``-max_total_time`` says. It begins with the names of our own tables, which it twists.
"""

import importlib
import sys
import time
from pathlib import Path
from typing import Any

from tests.capabilities.rules.names.named import anime, chinese, daily, films, paths, series, tags

KINDS = (films, series, daily, anime, chinese, paths, tags)

SEEDS = Path(".results", "fuzz", "seeds")
LONGEST = 8192
"""Bytes of one text; names are cut at far fewer characters."""
MOST_SECONDS = 2.0
"""For one text, all ways to read it together, under instrumentation, which slows ten times."""


def main(arguments: list[str]) -> None:
    """Hand the reading of names to the fuzzer."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["capabilities.rules.names"]):
        facts: Any = importlib.import_module("capabilities.rules.names.facts")
        parsing: Any = importlib.import_module("capabilities.rules.names.parsing")
        folders: Any = importlib.import_module("capabilities.rules.names.paths")

    def read(data: bytes) -> None:
        text = data.decode("utf-8", errors="replace")
        started = time.process_time()
        facts.facts(text)
        facts.facts(text, "series", {"subtitle": text})
        parsing.parse(text)
        folders.parse_path(text)
        spent = time.process_time() - started
        if spent > MOST_SECONDS:
            raise TimeoutError(f"{spent:.2f} s for {text!r}")

    atheris.Setup([*arguments, f"-max_len={LONGEST}", "-len_control=0", str(seeded())], read)
    atheris.Fuzz()


def seeded() -> Path:
    """The folder of texts that the fuzzer begins with and adds to."""
    SEEDS.mkdir(parents=True, exist_ok=True)
    for number, row in enumerate(row for kind in KINDS for row in kind.NAMES):
        (SEEDS / f"row-{number}").write_text(row.text, encoding="utf-8")
    return SEEDS


if __name__ == "__main__":
    main(sys.argv)
