"""Write docs/reference/downloaders.md from the results of a run: ``make contracts``.

The results are a JUnit file, as pytest writes it of the tests of each download client.
"""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from defusedxml.ElementTree import fromstring

from tests.capabilities.adapters.downloader import (
    contract,
    contract_adding,
    contract_going_on,
    contract_paths,
)

PAGE = Path("docs/reference/downloaders.md")
CLIENTS = {
    "embedded": "test_embedded",
    "qBittorrent": "test_qbittorrent",
    "Transmission": "test_transmission_contract",
}
"""Each client with the module that runs the contract against it."""
_PARTS = (contract, contract_adding, contract_going_on, contract_paths)
BEHAVIOURS = tuple(name for part in _PARTS for name in vars(part) if name.startswith("test_"))
VERSION = "version"

_INTRODUCTION = """\
# Download clients

What a download client has to do (`capabilities/adapters/downloader/port.py`), and whether each
was seen to do it. Written by `make contracts` from one run of
`tests/capabilities/adapters/downloader/contract*.py` against the real programs.
"""


@dataclass(frozen=True, slots=True)
class Result:
    """One test as it went: one way to try a behaviour.

    Attributes:
        seconds: that it took.
        version: of the client's software, where the test asked for it.
    """

    client: str
    behaviour: str
    kept: bool
    seconds: float
    version: str | None = None


def read(junit: str) -> list[Result]:
    """What a JUnit file says of the contract; other tests and skipped ones are left out."""
    modules = {module: client for client, module in CLIENTS.items()}
    found: list[Result] = []
    for case in fromstring(junit).iter("testcase"):
        client = modules.get(case.get("classname", "").rpartition(".")[2])
        behaviour = case.get("name", "").partition("[")[0]
        parts = {part.tag for part in case}
        if client is None or behaviour not in BEHAVIOURS or "skipped" in parts:
            continue
        told = {each.get("name"): each.get("value") for each in case.iter("property")}
        kept = not parts & {"failure", "error"}
        seconds = float(case.get("time", "0"))
        found.append(Result(client, behaviour, kept, seconds, told.get(VERSION)))
    return found


def page(results: Sequence[Result], *, commit: str, at: datetime) -> str:
    """The page for these results.

    Raises:
        LookupError: a client has no result of a behaviour, so the run was not whole.
    """
    return "\n".join(
        [
            _INTRODUCTION,
            f"Run of {at:%Y-%m-%d} at commit `{commit}`.\n",
            *_table(results),
            "",
        ]
    )


def _table(results: Sequence[Result]) -> Iterator[str]:
    sorted_out: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        sorted_out[result.client, result.behaviour].append(result)
    yield f"| | {' | '.join(CLIENTS)} |"
    yield f"|---|{'---|' * len(CLIENTS)}"
    for behaviour in BEHAVIOURS:
        cells = [_cell(sorted_out, client, behaviour) for client in CLIENTS]
        yield f"| {_sentence(behaviour)} | {' | '.join(cells)} |"
    yield f"| version | {' | '.join(_version(results, client) for client in CLIENTS)} |"
    yield f"| seconds | {' | '.join(_seconds(results, client) for client in CLIENTS)} |"


def _cell(results: Mapping[tuple[str, str], Sequence[Result]], client: str, behaviour: str) -> str:
    ways = results.get((client, behaviour))
    if not ways:
        raise LookupError(f"{client} has no result of {behaviour}")
    broken = sum(not each.kept for each in ways)
    if broken:
        return f"**broken**, {broken} of {len(ways)}"
    return "kept" if len(ways) == 1 else f"kept, {len(ways)} ways"


def _version(results: Sequence[Result], client: str) -> str:
    named = (each.version for each in results if each.client == client and each.version)
    return next(named, "not told")


def _seconds(results: Sequence[Result], client: str) -> str:
    return f"{sum(each.seconds for each in results if each.client == client):.0f}"


def _sentence(behaviour: str) -> str:
    return behaviour.removeprefix("test_").replace("_", " ").capitalize()


def main(arguments: Sequence[str]) -> int:
    """Read results from the file named first; write the page; 1 if something was broken."""
    results = read(Path(arguments[0]).read_text(encoding="utf-8"))
    head = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(head, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603  # fixed words
    PAGE.write_text(page(results, commit=commit, at=datetime.now(UTC)), encoding="utf-8")
    return int(not all(each.kept for each in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
