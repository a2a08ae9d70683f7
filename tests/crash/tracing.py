"""Tracing a child by strace: which system calls there are, and dying at one of them."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import TypeVar

import anyio

from tests.crash.zygote import MARK

T = TypeVar("T")

_LINE = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(?: resumed>|\()(.*)")
_RESUMED = re.compile(r"^\d+ +<\.\.\. ")
OPENS, CLOSES = "in_claim", "settled"
"""Between these two moments an act is claimed and not settled."""
SENT = "sent"
KILL = "signal=SIGKILL"


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """The ``number``-th call of this name in whichever thread comes to so many first."""

    call: str
    number: int

    def injecting(self, harm: str, *, lasting: bool = False) -> str:
        """As strace takes it: ``harm`` instead of the call, once or from then on."""
        return f"inject={self.call}:{harm}:when={self.number}{'+' if lasting else ''}"


def is_there() -> bool:
    """Whether strace is installed."""
    return shutil.which("strace") is not None


@asynccontextmanager
async def attached(pid: int, trace: Path, *what: str) -> AsyncGenerator[None]:
    """Have strace at a waiting process; leaving the block waits until strace is done with it."""
    options = [part for each in what for part in ("-e", each)]
    process = await anyio.open_process(
        ["strace", "-f", "-p", str(pid), "-o", str(trace), *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    async with process:
        if process.stderr is None:
            raise RuntimeError("strace has no standard error")
        first = await process.stderr.receive()
        if b"attached" not in first:
            raise RuntimeError(f"strace could not attach: {first.decode()}")
        yield
        await process.wait()


@dataclass(frozen=True, slots=True)
class Reached:
    """A point, and the last moment that had been passed by then; empty before the first one."""

    point: Point
    moment: str


def reached(trace: Path) -> list[Reached]:
    """Every point of a traced run, in order."""
    moment, found = "", list[Reached]()
    most: Counter[str] = Counter()
    for thread, call, arguments in _calls(trace.read_text(encoding="utf-8", errors="replace")):
        if MARK in arguments:
            moment = arguments.partition(MARK)[2].partition('"')[0]
        elif thread[call] > most[call]:
            found.append(Reached(Point(call, thread[call]), moment))
        most[call] = max(most[call], thread[call])
    return found


def under_claim(run: Iterable[Reached]) -> list[Reached]:
    """Those between the claim and the settlement."""
    after = dropwhile(lambda each: each.moment != OPENS, run)
    return list(takewhile(lambda each: each.moment != CLOSES, after))


def waits(run: Iterable[Reached]) -> list[Point]:
    """Where an act under its claim waits, up to the wait with which its request is in flight."""
    found = list[Point]()
    for each in under_claim(run):
        if each.point.call not in {"epoll_wait", "poll"}:
            continue
        found.append(each.point)
        if each.moment == SENT:
            break
    return found


def _calls(text: str) -> Iterator[tuple[Counter[str], str, str]]:
    """Each call as it begins: how often its thread made which, its name, and its arguments."""
    threads: dict[str, Counter[str]] = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match is None or _RESUMED.match(line):
            continue
        thread, call, arguments = match.groups()
        counted = threads.setdefault(thread, Counter())
        counted[call] += 1
        yield counted, call, arguments


def spread(all_of_them: Iterable[T], wanted: int) -> list[T]:
    """Some of them, evenly chosen."""
    there = list(all_of_them)
    if wanted >= len(there):
        return there
    return [there[index * len(there) // wanted] for index in range(wanted)]
