"""The rules that every published schema keeps, checked over the whole set."""

from collections.abc import Iterator
from typing import cast

from capabilities.kernel.schemas import COMBINATORS, Schema

REFERENCES = ("$ref", "$defs", "definitions")


def lint(schema: Schema) -> list[str]:
    """Every breach as a sentence with its path; an empty list is a clean schema."""
    faults: list[str] = []
    if schema.get("type") != "object":
        faults.append("the root must be an object")
    faults += [f"the root has {word}" for word in (*COMBINATORS, "not") if word in schema]
    for path, node in _nodes("", schema):
        faults += [f"{path or 'root'}: {fault}" for fault in _faults(node)]
    return faults


def _faults(node: Schema) -> Iterator[str]:
    yield from (f"uses {word}" for word in REFERENCES if word in node)
    kind = node.get("type")
    if isinstance(kind, list):
        yield "has a list of types"
    if kind is None and "enum" not in node and not any(word in node for word in COMBINATORS):
        yield "has no type"
    if kind == "object" and node.get("additionalProperties") is not False:
        yield "lets unknown keys in"
    if kind == "array":
        if "items" not in node:
            yield "is an array without items"
        if "maxItems" not in node:
            yield "is an array without a bound"
    if kind == "string" and "maxLength" not in node and "enum" not in node and "const" not in node:
        yield "is a string without a bound"
    for name, held in cast("dict[str, Schema]", node.get("properties", {})).items():
        if not str(held.get("description", "")).strip():
            yield f"property {name} has no description"


def _nodes(path: str, node: Schema) -> Iterator[tuple[str, Schema]]:
    yield path, node
    for name, held in cast("dict[str, Schema]", node.get("properties", {})).items():
        yield from _nodes(f"{path}/{name}", held)
    items = node.get("items")
    if isinstance(items, dict):
        yield from _nodes(f"{path}/[]", cast("Schema", items))
    for word in COMBINATORS:
        for n, option in enumerate(cast("list[Schema]", node.get(word, []))):
            yield from _nodes(f"{path}/{word}[{n}]", option)
