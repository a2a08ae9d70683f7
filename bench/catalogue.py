"""Bytes of ``tools/list`` against the smallest kin measured: 16 KB for 44 tools without hints."""

import json

from bench.measured import Figure
from capabilities.kernel.discovery import discovered
from capabilities.kernel.schemas import published
from capabilities.kernel.spec import Audience

BUDGET_BYTES = 25_000


async def measure() -> list[Figure]:
    """The published catalogue as compact JSON, against the budget of the default set."""
    tools = [
        {
            "name": spec.tool,
            "title": spec.title,
            "description": spec.description,
            "inputSchema": published(spec.given),
            "annotations": {
                "readOnlyHint": spec.hints.read_only,
                "destructiveHint": spec.hints.destructive,
                "idempotentHint": spec.hints.idempotent,
                "openWorldHint": spec.hints.open_world,
            },
        }
        for spec in discovered()
        if spec.audience is Audience.PUBLIC
    ]
    size = len(json.dumps(tools, separators=(",", ":")).encode())
    return [Figure(f"tools/list, {len(tools)} tools", "bytes", size, BUDGET_BYTES, "<= 1.00")]
