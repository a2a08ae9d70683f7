"""A real MCP client over stdio: the demo's run is started through the tool `start_run`."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from mcp import Client, StdioServerParameters

from server.cli.demo.faults import DemoFailedError
from server.cli.demo.server_process import command


@dataclass(frozen=True, slots=True)
class McpClient:
    """Calls tools and hands back their structured content."""

    session: Client

    async def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """One call.

        Raises:
            DemoFailedError: the tool answered with an error.
        """
        result = await self.session.call_tool(tool, arguments)
        content = cast("dict[str, Any]", result.structured_content or {})
        if result.is_error:
            raise DemoFailedError(f"{tool}: {content.get('error', content)}")
        return content


@asynccontextmanager
async def connected(home: Path, key: str) -> AsyncGenerator[McpClient]:
    """A client whose server is ``matinee mcp`` in this home, holding ``key``."""
    parameters = StdioServerParameters(
        command=command(), args=["mcp", "--home", str(home)], env={"MATINEE_KEY": key}
    )
    async with Client(parameters) as session:
        yield McpClient(session)
