"""Write docs/promises.md from the manifest and the results of a run: ``make promises``."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.promises.manifest import PROMISES, Promise

PAGE = Path("docs/promises.md")
Result = dict[str, Any]

_INTRODUCTION = """\
# Promises

What Matinee promises, where each promise ends, and what was tried to break it. Written by
`make promises` from `tests/promises/manifest.py` and one run of the tests it names. Each has
a control: the same look at a build without its guard, which must find it broken.
"""


def page(results: Sequence[Result], *, commit: str, at: datetime) -> str:
    """The page for these results.

    Raises:
        LookupError: a promise has no result, so the run was not whole.
    """
    parts = [
        _INTRODUCTION,
        f"Run of {at:%Y-%m-%d} at commit `{commit}`.\n",
        *_table(results),
        "",
        *[part for promise in PROMISES for part in _section(promise, results)],
    ]
    return "\n".join(parts)


def _table(results: Sequence[Result]) -> Iterator[str]:
    yield "| | promise | attempts | violations | in the control | seconds |"
    yield "|---|---|---:|---:|---:|---:|"
    for promise in PROMISES:
        held, control = _of(promise, results, control=False), _of(promise, results, control=True)
        seconds = sum(each["seconds"] for each in held)
        yield (
            f"| {promise.id} | {promise.sentence} | {_sum(held, 'attempts')} "
            f"| {_broken(held)} | {_sum(control, 'violations')} | {seconds:.0f} |"
        )


def _section(promise: Promise, results: Sequence[Result]) -> Iterator[str]:
    yield f"## {promise.id}\n"
    yield f"{promise.sentence}\n"
    yield f"Not promised: {promise.limits}\n"
    yield f"From: {promise.source}. An attempt is {promise.counts}.\n"
    for name in (*promise.tests, *promise.controls):
        found = [each for each in results if _bare(each["test"]) == name]
        attempts, seconds = _sum(found, "attempts"), sum(each["seconds"] for each in found)
        notes = "".join(f", {key} {held}" for each in found for key, held in each["notes"].items())
        seeds = sorted({str(each["seed"]) for each in found if each["seed"] is not None})
        seed = f", seed {' '.join(seeds)}" if seeds else ""
        kind = "control: " if name in promise.controls else ""
        yield f"- {kind}`{name}`: {attempts} attempts in {seconds:.1f} s{seed}{notes}"
    yield ""


def _of(promise: Promise, results: Sequence[Result], *, control: bool) -> list[Result]:
    names = promise.controls if control else promise.tests
    found = [each for each in results if _bare(each["test"]) in names]
    missing = set(names) - {_bare(each["test"]) for each in found}
    if missing:
        raise LookupError(f"{promise.id} has no result of {min(missing)}")
    return found


def _sum(results: Sequence[Result], name: str) -> int:
    return sum(each[name] for each in results)


def _broken(results: Sequence[Result]) -> int:
    """A test that failed without counting is a violation too."""
    failed = sum(each["outcome"] == "failed" and not each["violations"] for each in results)
    return _sum(results, "violations") + failed


def _bare(node: str) -> str:
    return node.partition("[")[0]


def main(arguments: Sequence[str]) -> None:
    """Read results from the file named first; write the page."""
    lines = Path(arguments[0]).read_text(encoding="utf-8").splitlines()
    head = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(head, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603  # fixed words
    results = [json.loads(line) for line in lines]
    PAGE.write_text(page(results, commit=commit, at=datetime.now(UTC)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
