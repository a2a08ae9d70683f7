"""A client process of a real server: eight requests at once, when told.

Reads one line of JSON (address, headers, path, body) from standard input, says ``ready``, waits
for another line, and prints the answers as JSON: each a status and a body.
"""

import json
import sys
from typing import Any

import anyio
import httpx2

CALLERS = 8


async def main() -> None:
    asked: dict[str, Any] = json.loads(sys.stdin.readline())
    answers: list[tuple[int, Any]] = []
    async with httpx2.AsyncClient(
        base_url=asked["address"], headers=asked["headers"], trust_env=False, timeout=30
    ) as http:

        async def call() -> None:
            answer = await http.post(asked["path"], json=asked["body"])
            answers.append((answer.status_code, answer.json()))

        (await http.get("/health")).raise_for_status()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        async with anyio.create_task_group() as callers:
            for _ in range(CALLERS):
                callers.start_soon(call)
    sys.stdout.write(json.dumps(answers) + "\n")


if __name__ == "__main__":
    anyio.run(main)
