"""``python -m bench [NAME …]``: measure, print, and write down."""

import json
import platform
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path

import anyio
import libtorrent as lt

from bench import catalogue, claims, download, inventory, names, placing, ranking, scan, waiting
from bench.measured import Figure

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE.parent / "docs" / "reference" / "benchmarks.md"

BENCHMARKS: dict[str, Callable[[], Awaitable[list[Figure]]]] = {
    "catalogue": catalogue.measure,
    "claims": claims.measure,
    "download": download.measure,
    "inventory": inventory.measure,
    "names": names.measure,
    "placing": placing.measure,
    "ranking": ranking.measure,
    "scan": scan.measure,
    "waiting": waiting.measure,
}


def versions() -> dict[str, str]:
    """What was measured with."""
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "libtorrent": lt.__version__,
        "mcp": version("mcp"),
        "dbos": version("dbos"),
    }


async def main(chosen: list[str]) -> None:
    """Run the named benchmarks, or all."""
    figures: list[Figure] = []
    for name in chosen or list(BENCHMARKS):
        for figure in await BENCHMARKS[name]():
            figures.append(figure)
            print(f"{figure.name:34} {_row(figure)}")
    RESULTS.write_text(
        json.dumps(
            {"versions": versions(), "figures": [each.document() for each in figures]}, indent=2
        )
        + "\n",
        encoding="utf-8",
    )
    if not chosen:
        PAGE.write_text(_page(figures), encoding="utf-8")


def _row(figure: Figure) -> str:
    return (
        f"{figure.ours:12,.1f} {figure.unit:6} floor {figure.floor:12,.1f}"
        f"  ratio {figure.ratio:6.2f}  to reach {figure.to_reach}"
    )


def _page(figures: list[Figure]) -> str:
    told = ", ".join(f"{name} {held}" for name, held in versions().items())
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`: ours and its floor in one run, median of five after a warm-up.",
        "Machines are noisy, so the ratio is what counts.",
        "",
        "| what | unit | ours | floor | ratio | to reach | reached |",
        "|---|---|---|---|---|---|---|",
        *[
            f"| {each.name} | {each.unit} | {each.ours:,.1f} | {each.floor:,.1f} "
            f"| {each.ratio:.2f} | {each.to_reach} | {'yes' if each.reached else 'not yet'} |"
            for each in figures
        ],
        "",
        f"Versions: {told}.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1:])
