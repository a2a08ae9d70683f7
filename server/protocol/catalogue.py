"""The registry as MCP tools."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

import mcp.types as t
from mcp.shared.exceptions import MCPError

from capabilities.kernel.actors import Actor
from capabilities.kernel.registry import Registry
from capabilities.kernel.schemas import published
from capabilities.kernel.spec import Audience, Spec

PAGE = 50
"""Tools a page: more than the default set, since some clients never ask for a second page."""
LONGEST_DESCRIPTION = 600
LONGEST_NAME_TOLD = 128
RESERVED = "outcome"
"""The field of every structured result that says how the call ended."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


class Catalogue:
    """Lists and finds tools for an actor; what it may not call does not exist for it."""

    def __init__(self, registry: Registry, page: int = PAGE) -> None:
        """Describe every capability once.

        Raises:
            ValueError: a name, description or answer that clients would not get intact.
        """
        self._registry = registry
        self._page = page
        # What only the owner may do is no tool, whoever is at the other end.
        tools = [spec for spec in registry.specs if spec.audience is not Audience.OWNER]
        self._tools = {spec.id: _tool(spec) for spec in tools}
        self._by_name = {spec.tool: spec for spec in tools}

    def page(self, actor: Actor, cursor: str | None) -> t.ListToolsResult:
        """The tools of ``actor`` that follow ``cursor``, in the order of the registry.

        Raises:
            MCPError: invalid params; the cursor is none of ours, or its tool is no longer shown.
        """
        shown_to = self._registry.shown_to(actor)
        tools = [self._tools[spec.id] for spec in shown_to if spec.id in self._tools]
        first = 0 if cursor is None else 1 + _position(cursor, tools)
        shown = tools[first : first + self._page]
        more = first + self._page < len(tools)
        return t.ListToolsResult(tools=shown, next_cursor=_cursor(shown[-1]) if more else None)

    def find(self, name: str, actor: Actor) -> Spec:
        """The capability behind a tool name.

        Raises:
            MCPError: invalid params; unknown, private and unpermitted names alike.
        """
        shown = {spec.id for spec in self._registry.shown_to(actor)}
        spec = self._by_name.get(name)
        if spec is None or spec.id not in shown:
            raise MCPError(t.INVALID_PARAMS, f"Unknown tool: {name[:LONGEST_NAME_TOLD]}")
        return spec


def _tool(spec: Spec) -> t.Tool:
    if not _NAME.fullmatch(spec.tool):
        raise ValueError(f"{spec.id!r} has a tool name that clients refuse")
    if len(spec.description) > LONGEST_DESCRIPTION:
        raise ValueError(f"{spec.id!r} is described in more than {LONGEST_DESCRIPTION} characters")
    if RESERVED in spec.answer.model_fields:
        raise ValueError(f"{spec.id!r} answers a field {RESERVED!r}, which names the call's end")
    return t.Tool(
        name=spec.tool,
        title=spec.title,
        description=spec.description,
        input_schema=published(spec.given),
        annotations=t.ToolAnnotations(
            read_only_hint=spec.hints.read_only,
            destructive_hint=spec.hints.destructive,
            idempotent_hint=spec.hints.idempotent,
            open_world_hint=spec.hints.open_world,
        ),
    )


def _cursor(tool: t.Tool) -> str:
    return urlsafe_b64encode(tool.name.encode()).decode()


def _position(cursor: str, tools: list[t.Tool]) -> int:
    try:
        name = urlsafe_b64decode(cursor).decode()
        return [tool.name for tool in tools].index(name)
    except ValueError as wrong:
        sentence = "This cursor is not valid (any more); list from the start."
        raise MCPError(t.INVALID_PARAMS, sentence) from wrong
