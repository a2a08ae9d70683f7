"""A process that has imported everything, and forks a child for every order it reads.

Starting Python and importing takes a second; a fork takes two milliseconds. Orders come as lines
of JSON, one at a time: a child furnishes its place, says that it is ready, and goes on when told.
"""

import ctypes
import gc
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio

from capabilities.kernel import fault_points
from tests.crash.broken import BUILDS
from tests.crash.child import ACTS, Order, furnish

_PR_SET_PTRACER = 0x59616D61
_ANYBODY = -1
MARK = "/fault-point/"
MOMENTS = "moments"


def main() -> None:
    """Serve orders until there are no more."""
    gc.collect()
    gc.freeze()
    _say(ready=os.getpid())
    for line in sys.stdin:
        _serve(json.loads(line))


def _serve(given: dict[str, Any]) -> None:
    """Fork as many children as are ordered; they go on together."""
    gate, opener = os.pipe()
    answer, told = os.pipe()
    pids = [_forked(given, gate, opener, answer, told) for _ in range(given.get("copies", 1))]
    os.close(gate)
    os.close(told)
    furnished = b""
    while len(furnished) < len(pids) and (more := os.read(answer, len(pids))):
        furnished += more
    os.close(answer)
    _say(pid=pids[0], furnished=len(furnished) == len(pids))
    if given.get("hold"):
        sys.stdin.readline()
    os.close(opener)
    if given.get("pauses"):
        os.waitpid(pids[0], os.WUNTRACED)
        _say(stopped=pids[0])
        sys.stdin.readline()
        os.kill(pids[0], signal.SIGCONT)
    ends = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    _say(status=ends[0], ends=ends)


def _forked(given: dict[str, Any], gate: int, opener: int, answer: int, told: int) -> int:
    pid = os.fork()
    if not pid:
        os.close(opener)
        os.close(answer)
        _child(given, gate, told)
    return pid


def _child(given: dict[str, Any], gate: int, told: int) -> None:
    """Never returns."""
    code = 70
    try:
        log = os.open(
            f"{given['folder']}/{given['act']}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND
        )
        for stream in (0, 1, 2):
            os.dup2(log, stream)
        os.close(log)
        ctypes.CDLL(None).prctl(_PR_SET_PTRACER, ctypes.c_ulong(_ANYBODY), 0, 0, 0)
        order = Order.read(given)
        BUILDS[given.get("build", "sound")]()
        if given.get("furnish"):
            furnish(order)
        _watch(given)
        os.write(told, b".")
        os.read(gate, 1)
        anyio.run(ACTS[given["act"]], order)
        code = 0
    except BaseException:  # noqa: BLE001  # a child must never become a second zygote
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _watch(given: dict[str, Any]) -> None:
    """Arm the fault point that was ordered, or leave a mark at every one."""
    os.environ[fault_points.VARIABLE] = given.get("fault", "")
    if given.get("marked"):
        fault_points.at = _marker()
    if given.get("listed"):
        fault_points.at = _lister(Path(given["folder"], MOMENTS))


def _marker() -> Callable[[str], None]:
    """A fault point that strace sees."""

    def at(name: str) -> None:
        os.access(f"{MARK}{name}", os.F_OK)

    return at


def _lister(path: Path) -> Callable[[str], None]:
    """A fault point that writes down that it was passed."""

    def at(name: str) -> None:
        with path.open("a", encoding="utf-8") as listed:
            listed.write(f"{name}\n")

    return at


def _say(**what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
