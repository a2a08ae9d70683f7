"""The facts of a name for a person or a report: what it says, and nothing that it does not."""

from typing import Final

from pydantic import JsonValue, TypeAdapter

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.outside_text import cleaned

_FORM: Final[TypeAdapter[ReleaseName]] = TypeAdapter(ReleaseName)
_LEFT_OUT: Final = {"text", "said"}


def name_facts(name: ReleaseName) -> dict[str, JsonValue]:
    """The facts as JSON values by the field's name, clean to read; empty ones are left out."""
    told: dict[str, JsonValue] = _FORM.dump_python(
        name, mode="json", exclude=_LEFT_OUT, exclude_defaults=True
    )
    return {field: _clean(held) for field, held in told.items()}


def _clean(held: JsonValue) -> JsonValue:
    match held:
        case str():
            return cleaned(held)
        case float() if held.is_integer():
            return int(held)
        case list():
            return [_clean(each) for each in held]
        case dict():
            return {cleaned(key): _clean(each) for key, each in held.items()}
        case _:
            return held
