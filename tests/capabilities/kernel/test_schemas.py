from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from capabilities.kernel.schemas import published


class Colour(StrEnum):
    """A closed set."""

    RED = "red"
    BLUE = "blue"


class Inner(BaseModel, extra="forbid"):
    """A part of it."""

    colour: Annotated[Colour, Field(description="Its colour.")] = Colour.RED
    depth: Annotated[int | None, Field(description="How deep.", ge=1, le=9)] = None


class Given(BaseModel, extra="forbid"):
    """The whole."""

    title: Annotated[str, Field(description="A title.", max_length=20, min_length=1)]
    default: Annotated[Literal["a", "b"] | None, Field(description="One of two.")] = None
    inner: Annotated[Inner, Field(description="One part.")]
    maybe: Annotated[Inner | None, Field(description="Perhaps a part.")] = None
    parts: Annotated[list[Inner] | None, Field(description="More parts.", max_length=3)] = None
    colours: Annotated[list[Colour], Field(description="Several.", max_length=2)] = []


INNER = {
    "type": "object",
    "properties": {
        "colour": {"type": "string", "enum": ["red", "blue"], "description": "Its colour."},
        "depth": {"type": "integer", "minimum": 1, "maximum": 9, "description": "How deep."},
    },
    "additionalProperties": False,
}


def test_a_model_is_published_in_one_piece_without_nulls_titles_and_defaults() -> None:
    assert published(Given) == {
        "type": "object",
        "description": "The whole.",
        "properties": {
            "title": {
                "type": "string",
                "minLength": 1,
                "maxLength": 20,
                "description": "A title.",
            },
            "default": {"type": "string", "enum": ["a", "b"], "description": "One of two."},
            "inner": {**INNER, "description": "One part."},
            "maybe": {**INNER, "description": "Perhaps a part."},
            "parts": {
                "type": "array",
                "maxItems": 3,
                "items": {**INNER, "description": "A part of it."},
                "description": "More parts.",
            },
            "colours": {
                "type": "array",
                "maxItems": 2,
                "items": {
                    "type": "string",
                    "enum": ["red", "blue"],
                    "description": "A closed set.",
                },
                "description": "Several.",
            },
        },
        "required": ["title", "inner"],
        "additionalProperties": False,
    }


def test_a_model_without_fields_is_an_object_that_takes_nothing() -> None:
    class Nothing(BaseModel, extra="forbid"):
        pass

    schema = published(Nothing)
    assert (schema["type"], schema["properties"], schema["additionalProperties"]) == (
        "object",
        {},
        False,
    )


def test_a_choice_of_models_is_inlined_and_loses_its_null() -> None:
    class Either(BaseModel, extra="forbid"):
        which: Annotated[Inner | int | None, Field(description="Either.")] = None

    which = published(Either)["properties"]["which"]
    assert which == {
        "anyOf": [{**INNER, "description": "A part of it."}, {"type": "integer"}],
        "description": "Either.",
    }


def test_a_table_of_any_keys_is_not_published_as_if_it_took_none() -> None:
    class Table(BaseModel):
        model_config = ConfigDict(extra="allow")
        rows: Annotated[dict[str, int], Field(description="Rows.")]

    schema = published(Table)
    assert schema["additionalProperties"] is True
    assert schema["properties"]["rows"]["additionalProperties"] == {"type": "integer"}


def test_everyone_gets_a_schema_of_their_own() -> None:
    mine: dict[str, Any] = published(Given)
    mine["properties"].clear()
    assert published(Given)["properties"]
