"""Progress of a call, told to the client that asked for it."""

import math
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext

from capabilities.kernel.context import Report

PATIENCE_S = 1.0


def reporter(ctx: ServerRequestContext[Any, Any]) -> Report:
    """Reports that reach the client behind ``ctx``, as long as it waits and named a token.

    Only what increases is sent, as MCP demands, and a client that does not read never holds up
    the work that is reported.
    """
    last = -math.inf

    async def report(done: float, total: float | None, sentence: str) -> None:
        nonlocal last
        if done > last:
            last = done
            with anyio.move_on_after(PATIENCE_S):
                await ctx.session.report_progress(done, total, sentence)

    return report
