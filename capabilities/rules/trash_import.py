"""Custom formats from the JSON of Radarr, Sonarr and the TRaSH guides.

Each becomes a format of ours whole, or is left out and named: a format that lacks one of its
conditions would mean something else.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from capabilities.rules.arr_numbers import (
    FLAGS,
    LANGUAGES,
    MODIFIERS,
    RELEASE_TYPES,
    RESOLUTIONS,
    SOURCES,
    App,
)
from capabilities.rules.formats import PATTERNS, Condition, ConditionKind, CustomFormat
from capabilities.rules.patterns import Examiner

MOST_FORMATS: Final = 500
DEFAULT_SCORES: Final = "default"


class _Specification(BaseModel):
    """One condition, as exported: fields are an object, or a list of names and values."""

    model_config = ConfigDict(extra="ignore")

    name: str = ""
    implementation: str
    negate: bool = False
    required: bool = False
    fields: dict[str, Any] | list[dict[str, Any]] = Field(default_factory=dict[str, Any])

    def field(self, name: str) -> Any:
        """The value of one field; None where it is absent."""
        if isinstance(self.fields, dict):
            return self.fields.get(name)
        named = (one.get("value") for one in self.fields if one.get("name") == name)
        return next(named, None)


class _Exported(BaseModel):
    """One custom format, as exported."""

    model_config = ConfigDict(extra="ignore")

    name: str = Field(min_length=1, max_length=200)
    specifications: list[_Specification] = Field(min_length=1, max_length=500)
    trash_scores: dict[str, int] = Field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A format that was not imported, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a document.

    Attributes:
        unscored: names of formats for which it gives no score; theirs is 0, which explains only.
    """

    formats: tuple[CustomFormat, ...]
    left_out: tuple[LeftOut, ...]
    unscored: tuple[str, ...]


def import_formats(text: str, app: App, scores: str = DEFAULT_SCORES) -> Imported:
    """Read one exported format, or a list of them.

    Args:
        text: JSON.
        app: whose numbers it is written in.
        scores: which of a guide's score sets counts; the default one where a format lacks it.

    Raises:
        ValueError: it is no JSON, or no format and no list of formats.
    """
    formats: list[CustomFormat] = []
    left_out: list[LeftOut] = []
    unscored: list[str] = []
    examiner = Examiner()
    for number, held in enumerate(_documents(text), start=1):
        name = _name(held, number)
        try:
            exported = _Exported.model_validate(held)
            conditions = tuple(_condition(one, app, examiner) for one in exported.specifications)
        except ValidationError as wrong:
            left_out.append(LeftOut(name, _sentence(wrong)))
            continue
        except ValueError as wrong:
            left_out.append(LeftOut(name, str(wrong)))
            continue
        score = exported.trash_scores.get(scores, exported.trash_scores.get(DEFAULT_SCORES))
        if score is None:
            unscored.append(name)
        formats.append(CustomFormat(name, conditions, score or 0))
    return Imported(tuple(formats), tuple(left_out), tuple(unscored))


def _documents(text: str) -> list[Mapping[str, Any]]:
    try:
        held: object = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise ValueError("the formats are not JSON") from wrong
    documents = cast("list[object]", held) if isinstance(held, list) else [held]
    if len(documents) > MOST_FORMATS:
        raise ValueError(f"there are more than {MOST_FORMATS} formats; import them in parts")
    if not documents or not all(isinstance(one, dict) for one in documents):
        raise ValueError("the formats are neither an object nor a list of objects")
    return cast("list[Mapping[str, Any]]", documents)


def _name(held: Mapping[str, Any], number: int) -> str:
    name = held.get("name")
    return name[:200] if isinstance(name, str) and name else f"number {number}"


def _condition(one: _Specification, app: App, examiner: Examiner) -> Condition:
    made = _KINDS.get(one.implementation)
    if made is None:
        raise ValueError(f'its condition "{one.name}" is a {one.implementation[:80]}, unknown here')
    kind, read = made
    try:
        value = read(one, app)
    except (TypeError, KeyError, ValueError) as wrong:
        why = str(wrong) if isinstance(wrong, ValueError) else "its value means nothing here"
        raise ValueError(f'its condition "{one.name}" cannot be read: {why}') from wrong
    if kind in PATTERNS and (flaw := examiner.flaw(value)) is not None:
        raise ValueError(f'its condition "{one.name}" cannot be taken: {flaw}')
    return Condition(kind, value, negate=one.negate, required=one.required, name=one.name[:200])


def _expression(one: _Specification, app: App) -> str:
    del app
    value = one.field("value")
    if not isinstance(value, str) or not value:
        raise ValueError("it has no expression")
    return value


def _number(
    table: Callable[[App], Mapping[int, StrEnum | str | tuple[StrEnum, ...]]],
) -> Callable[[_Specification, App], str]:
    def read(one: _Specification, app: App) -> str:
        if one.field("exceptLanguage"):
            raise ValueError('"except language" is not known here')
        value = int(one.field("value"))
        known = table(app).get(value)
        if known is None:
            raise ValueError(f"{app} counts {value}, which has no counterpart here")
        return "|".join(known) if isinstance(known, tuple) else str(known)

    return read


def _range(one: _Specification, app: App) -> str:
    del app
    least, most = float(one.field("min")), float(one.field("max"))
    return f"{least:g}..{most:g}"


_KINDS: Final[dict[str, tuple[ConditionKind, Callable[[_Specification, App], str]]]] = {
    "ReleaseTitleSpecification": (ConditionKind.PATTERN, _expression),
    "ReleaseGroupSpecification": (ConditionKind.GROUP_PATTERN, _expression),
    "EditionSpecification": (ConditionKind.EDITION_PATTERN, _expression),
    "SourceSpecification": (ConditionKind.SOURCE, _number(lambda app: SOURCES[app])),
    "ResolutionSpecification": (ConditionKind.RESOLUTION, _number(lambda _: RESOLUTIONS)),
    "LanguageSpecification": (ConditionKind.LANGUAGE, _number(lambda app: LANGUAGES[app])),
    "IndexerFlagSpecification": (ConditionKind.INDEXER_FLAG, _number(lambda app: FLAGS[app])),
    "QualityModifierSpecification": (ConditionKind.MODIFIER, _number(lambda _: MODIFIERS)),
    "ReleaseTypeSpecification": (ConditionKind.RELEASE_TYPE, _number(lambda _: RELEASE_TYPES)),
    "SizeSpecification": (ConditionKind.SIZE, _range),
    "YearSpecification": (ConditionKind.YEAR, _range),
}


def _sentence(wrong: ValidationError) -> str:
    first = wrong.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"it is no custom format: {place}: {first['msg']}"
