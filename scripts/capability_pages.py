"""What clients are shown of each capability: as a snapshot, and as a page to read."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from capabilities.kernel.discovery import discovered
from capabilities.kernel.schemas import Schema, published
from capabilities.kernel.spec import Spec

SNAPSHOTS = "tests/snapshots/capabilities"
PAGE = "docs/reference/capabilities.md"

_OPENING = """# Capabilities

Everything that clients and the agent can do, generated from the registry. On MCP a capability has
the name in brackets. *Scope* is what a key must carry to call it. *Kind* and *effect* say what it
may do: reads change nothing, previews and controls change only our own records, an execute needs
the owner's approval.
"""


def snapshots() -> dict[str, str]:
    """One file for each capability, holding its tool as MCP publishes it."""
    return {
        f"{SNAPSHOTS}/{spec.id}.json": json.dumps(tool(spec), ensure_ascii=False, indent=2) + "\n"
        for spec in discovered()
    }


def page() -> dict[str, str]:
    """The reference page: a section for each capability, by id."""
    return {PAGE: _OPENING + "".join(_section(spec) for spec in discovered())}


def tool(spec: Spec) -> dict[str, Any]:
    """The tool object of ``tools/list``. Source: MCP 2026-07-28, server/tools."""
    return {
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


def _section(spec: Spec) -> str:
    example = json.dumps(dict(spec.example), ensure_ascii=False)
    return f"""
## {spec.title}

`{spec.id}` (`{spec.tool}`)

{spec.use_when} {spec.not_when}

- Scope: `{spec.scope}`
- Kind: {spec.kind}
- Effect: {_effect(spec)}

{_arguments(published(spec.given))}
Example:

```json
{example}
```
"""


def _effect(spec: Spec) -> str:
    return {"none": "none", "ours": "our own records only", "world": "the world"}[spec.effect]


def _arguments(schema: Schema) -> str:
    rows = list(_rows("", schema))
    if not rows:
        return "It takes no arguments.\n"
    head = "| Argument | Type | Needed | Meaning |\n|---|---|---|---|\n"
    return head + "".join(f"{row}\n" for row in rows)


def _rows(before: str, schema: Schema) -> Iterator[str]:
    required = set(cast("list[str]", schema.get("required", [])))
    for name, each in cast("Mapping[str, Schema]", schema.get("properties", {})).items():
        needed = "yes" if name in required else ""
        meaning = str(each.get("description", "")).replace("|", "\\|")
        yield f"| `{before}{name}` | {_type(each)} | {needed} | {meaning} |"
        yield from _rows(f"{before}{name}.", each)
        if isinstance(each.get("items"), dict):
            yield from _rows(f"{before}{name}[].", cast("Schema", each["items"]))


def _type(schema: Schema) -> str:
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in cast("list[Schema]", schema["anyOf"]))
    if "enum" in schema:
        return " · ".join(f"`{each}`" for each in cast("list[object]", schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_type(cast('Schema', schema.get('items', {})))}{_bounds(schema)}"
    return f"{schema.get('type', 'any')}{_bounds(schema)}"


def _bounds(schema: Schema) -> str:
    low = schema.get("minimum", schema.get("minLength", schema.get("minItems")))
    high = schema.get("maximum", schema.get("maxLength", schema.get("maxItems")))
    unit = {"string": " characters", "array": " items"}.get(str(schema.get("type")), "")
    match low, high:
        case None, None:
            return ""
        case None, _:
            return f", at most {high}{unit}"
        case _, None:
            return f", at least {low}{unit}"
        case _:
            return f", {low} to {high}{unit}"
