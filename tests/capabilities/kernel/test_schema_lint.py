from typing import Any

import pytest

from capabilities.kernel.schema_lint import lint

WORD = {"type": "string", "maxLength": 9, "description": "A word."}


def holding(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


CLEAN = holding(
    word=WORD,
    flag={"type": "boolean", "description": "A flag."},
    number={"type": "integer", "description": "A number."},
    one_of={"type": "string", "enum": ["a"], "description": "One of them."},
    only={"type": "string", "const": "a", "description": "This one."},
    words={"type": "array", "maxItems": 2, "items": WORD, "description": "Words."},
    part={**holding(word=WORD), "description": "A part."},
    either={"anyOf": [{"type": "integer"}, WORD], "description": "Either."},
)


def test_a_clean_schema_has_no_faults() -> None:
    assert lint(CLEAN) == []


BREACHES: dict[str, tuple[dict[str, Any], str]] = {
    "the root is no object": ({"type": "string", "maxLength": 1}, "the root must be an object"),
    "the root is a choice": ({**CLEAN, "anyOf": []}, "the root has anyOf"),
    "the root excludes": ({**CLEAN, "not": {}}, "the root has not"),
    "the root combines": ({**CLEAN, "allOf": []}, "the root has allOf"),
    "the root lets unknown keys in": (
        {"type": "object", "properties": {}},
        "root: lets unknown keys in",
    ),
    "the root takes any key": (
        {"type": "object", "additionalProperties": True},
        "root: lets unknown keys in",
    ),
    "a part lets unknown keys in": (
        holding(part={"type": "object", "description": "A part."}),
        "/part: lets unknown keys in",
    ),
    "a reference": (
        holding(part={"$ref": "#/x", "type": "integer", "description": "."}),
        "/part: uses $ref",
    ),
    "definitions": ({**CLEAN, "$defs": {}}, "root: uses $defs"),
    "a list of types": (
        holding(word={**WORD, "type": ["string", "null"]}),
        "/word: has a list of types",
    ),
    "no type": (holding(word={"description": "Anything."}), "/word: has no type"),
    "an array of anything": (
        holding(words={"type": "array", "maxItems": 2, "description": "."}),
        "/words: is an array without items",
    ),
    "an endless array": (
        holding(words={"type": "array", "items": WORD, "description": "."}),
        "/words: is an array without a bound",
    ),
    "an endless string": (
        holding(word={"type": "string", "description": "."}),
        "/word: is a string without a bound",
    ),
    "an endless string in an array": (
        holding(
            words={
                "type": "array",
                "maxItems": 2,
                "items": {"type": "string"},
                "description": ".",
            }
        ),
        "/words/[]: is a string without a bound",
    ),
    "an endless string in a choice": (
        holding(either={"anyOf": [{"type": "integer"}, {"type": "string"}], "description": "."}),
        "/either/anyOf[1]: is a string without a bound",
    ),
    "a property without a description": (
        holding(word={"type": "string", "maxLength": 1}),
        "root: property word has no description",
    ),
    "a property with a blank description": (
        holding(part={**holding(word={**WORD, "description": " "}), "description": "."}),
        "/part: property word has no description",
    ),
}


@pytest.mark.parametrize(("schema", "fault"), BREACHES.values(), ids=BREACHES)
def test_each_rule_is_told_with_the_place_of_its_breach(schema: dict[str, Any], fault: str) -> None:
    assert fault in lint(schema)
