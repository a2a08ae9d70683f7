"""Prism, a mock server that nobody here wrote, serving a system's own OpenAPI description.

It refuses a request that the description does not allow, and answers with its examples.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.needed import BESIDE, ROOT, beside, missing

DESCRIPTIONS = BESIDE / "openapi"
START_S = 90.0


@contextmanager
def serving(name: str, folder: Path, mended: Callable[[str], Any] = json.loads) -> Generator[str]:
    """Serve the description of that file name; yields the address, without a final slash.

    Where Prism or the description is not there, `tests.needed` says what follows.

    Args:
        name: of the file among the descriptions.
        folder: an empty one, for the log and the description as served.
        mended: makes what is served of the file's text.
    """
    description = beside(DESCRIPTIONS / name)
    program = shutil.which("prism") or str(ROOT / ".services/node_modules/.bin/prism")
    if not os.access(program, os.X_OK):
        missing("Prism is not installed (scripts/services proof)")
    served = folder / "served.json"
    served.write_text(json.dumps(mended(description.read_text("utf-8")), default=str))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [program, "mock", "-h", "127.0.0.1", "-p", str(port), str(served)],
            stdout=log,
            stderr=log,
        )
    try:
        _until_it_listens(process, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=10)


def _until_it_listens(process: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + START_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail("Prism did not start")
            time.sleep(0.1)
        else:
            return
