"""Published input schemas: from pydantic models to what every client accepts.

The rules come from what real clients refuse: references, type unions, arrays without items, and
properties without a description. Source: JSON Schema 2020-12 and MCP 2026-07-28, server/tools.
"""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any, cast

from pydantic import BaseModel

Schema = dict[str, Any]

COMBINATORS = ("anyOf", "oneOf", "allOf")

_NOISE = ("title", "default")


@cache
def _published(model: type[BaseModel]) -> Schema:
    raw = model.model_json_schema(mode="validation")
    definitions = cast("Mapping[str, Schema]", raw.pop("$defs", {}))
    schema = _plain(raw, definitions)
    schema.setdefault("properties", {})
    return schema


def published(model: type[BaseModel]) -> Schema:
    """The input schema that clients are shown: inlined, without nulls, every property described."""
    return deepcopy(_published(model))


def _plain(node: Schema, definitions: Mapping[str, Schema]) -> Schema:
    if "$ref" in node:
        name = str(node["$ref"]).rsplit("/", 1)[-1]
        merged = {**definitions[name], **{k: v for k, v in node.items() if k != "$ref"}}
        return _plain(merged, definitions)
    node = _without_null(node)
    if "$ref" in node:
        return _plain(node, definitions)
    plain: Schema = {}
    for key, held in cast("dict[str, object]", node).items():
        if key in _NOISE:
            continue
        plain[key] = _inside(key, held, definitions)
    if plain.get("type") == "object":
        plain.setdefault("additionalProperties", False)
    return plain


def _inside(key: str, held: object, definitions: Mapping[str, Schema]) -> object:
    if key == "properties" and isinstance(held, dict):
        properties = cast("dict[str, Schema]", held)
        return {name: _plain(each, definitions) for name, each in properties.items()}
    if key == "items" and isinstance(held, dict):
        return _plain(cast("Schema", held), definitions)
    if key in COMBINATORS and isinstance(held, list):
        return [_plain(option, definitions) for option in cast("list[Schema]", held)]
    return held


def _without_null(node: Schema) -> Schema:
    """Absent is how clients say null, so ``X | None`` is published as ``X``."""
    options = cast("list[Schema] | None", node.get("anyOf"))
    if options is None:
        return node
    real = [option for option in options if option.get("type") != "null"]
    rest = {key: held for key, held in node.items() if key != "anyOf"}
    return {**real[0], **rest} if len(real) == 1 else {**rest, "anyOf": real}
