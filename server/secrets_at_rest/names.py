"""Which settings hold secrets, by name, and filling in what the file leaves open.

A secret's name is its setting's path; an entry of a list is named by its own name:
``metadata.tmdb.key``, ``indexers.loopback.key``.
"""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from server.setting_types import Section
from server.settings import Settings
from server.settings_loading import every_setting

LONGEST = 128
OPENS_THE_LEDGER = frozenset({"database.url"})
"""Needed before anything that is sealed can be read."""

Path = tuple[str, ...]


def plain_secrets(settings: Settings) -> dict[str, str]:
    """The secrets that the settings themselves hold, from the file or the environment."""
    return {name: value for name, value in _places(settings, ()) if value is not None}


def secret_names(settings: Settings) -> list[str]:
    """Every name of a secret that these settings could use sealed."""
    return [name for name, _ in _places(settings, ()) if name not in OPENS_THE_LEDGER]


def is_secret_name(name: str) -> bool:
    """Whether a sealed secret can have this name; an entry need not be configured yet."""
    return len(name) <= LONGEST and any(shape.fits(name) for shape in _shapes())


def nearest(name: str, settings: Settings) -> str:
    """A sentence that leads to a name that there is."""
    known = secret_names(settings)
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"Did you mean `{near[0]}`?"
    return f"There are: {', '.join(sorted({*known, *map(str, _shapes())}))}."


def with_sealed(settings: Settings, opened: Mapping[str, str]) -> Settings:
    """The settings, with a sealed secret wherever they hold none."""
    return _filled(settings, (), opened)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A name as it is, or that of any entry of a list: what stands before and behind its name."""

    head: str
    tail: str | None = None

    def fits(self, name: str) -> bool:
        if self.tail is None:
            return name == self.head
        inner = name.removeprefix(f"{self.head}.").removesuffix(f".{self.tail}")
        return bool(inner) and name == f"{self.head}.{inner}.{self.tail}"

    def __str__(self) -> str:
        return self.head if self.tail is None else f"{self.head}.NAME.{self.tail}"


def _shapes() -> Iterator[_Shape]:
    for setting in every_setting():
        if _is_secret(setting.field) and setting.key not in OPENS_THE_LEDGER:
            yield _Shape(setting.key)
        elif setting.entry is not None:
            for name, field in setting.entry.model_fields.items():
                if _is_secret(field):
                    yield _Shape(setting.key, name)


def _places(section: Section, above: Path) -> Iterator[tuple[str, str | None]]:
    for name, field, value in _fields(section):
        if _is_secret(field):
            shown = value.get_secret_value() if isinstance(value, SecretStr) else None
            yield ".".join((*above, name)), shown
        elif isinstance(value, Section):
            yield from _places(value, (*above, name))
        else:
            for entry in _entries(value):
                yield from _places(entry, (*above, name, _name_of(entry)))


def _filled(section: Any, above: Path, opened: Mapping[str, str]) -> Any:
    changed: dict[str, object] = {}
    for name, field, value in _fields(section):
        here = (*above, name)
        if _is_secret(field):
            named = ".".join(here)
            sealed = None if named in OPENS_THE_LEDGER else opened.get(named)
            if value is None and sealed is not None:
                changed[name] = SecretStr(sealed)
        elif isinstance(value, Section):
            changed[name] = _filled(value, here, opened)
        elif entries := _entries(value):
            changed[name] = tuple(_filled(e, (*here, _name_of(e)), opened) for e in entries)
    return section.model_copy(update=changed)


def _fields(section: Section) -> Iterator[tuple[str, FieldInfo, object]]:
    for name, field in type(section).model_fields.items():
        yield name, field, getattr(section, name)


def _entries(value: object) -> tuple[Section, ...]:
    if not isinstance(value, tuple):
        return ()
    return tuple(e for e in cast("tuple[object, ...]", value) if isinstance(e, Section))


def _name_of(entry: Section) -> str:
    return str(getattr(entry, "name", ""))


def _is_secret(field: FieldInfo) -> bool:
    return _mentions_secret(field.annotation)


def _mentions_secret(annotation: object) -> bool:
    return annotation is SecretStr or any(map(_mentions_secret, get_args(annotation)))
