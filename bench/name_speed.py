"""``python -m bench.name_speed PARSER``: names read per CPU second, of those given on stdin.

Runs in any environment that has the parser, so it needs nothing but Python.
"""

import importlib
import json
import sys
import time
from typing import Any

PARSERS = {
    "matinee": ("capabilities.rules.names.facts", "facts"),
    "guessit": ("guessit", "guessit"),
    "parsett": ("PTT", "parse_title"),
    "parse-torrent-title": ("PTN", "parse"),
}
WARM = 20
"""Names read before the clock runs, for what a parser builds at its first call."""


def main(parser: str) -> None:
    """Print the figure."""
    module, function = PARSERS[parser]
    read: Any = getattr(importlib.import_module(module), function)
    names: list[str] = json.load(sys.stdin)
    for name in names[:WARM]:
        read(name)
    started = time.process_time()
    for name in names:
        read(name)
    print(len(names) / (time.process_time() - started))


if __name__ == "__main__":
    main(sys.argv[1])
