"""Reading the settings: ``settings.toml`` of a home, then the environment, which wins."""

import difflib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args, get_origin

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from server.setting_types import Section
from server.settings import Settings, UpstreamSettings

FILE_NAME = "settings.toml"
PREFIX = "MATINEE_"


class SettingsError(Exception):
    """The settings cannot be used; the message has one line per fault: where, what, what to do."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set."""

    path: tuple[str, ...]
    field: FieldInfo

    @property
    def key(self) -> str:
        """As written in the file: ``server.port``."""
        return ".".join(self.path)

    @property
    def variable(self) -> str:
        """As written in the environment: ``MATINEE_SERVER_PORT``."""
        return PREFIX + "_".join(self.path).upper()

    @property
    def entry(self) -> type[Section] | None:
        """The table of one entry, where the setting is a list of tables."""
        inner = get_args(self.field.annotation)
        return inner[0] if inner and _is_section(inner[0]) else None

    @property
    def is_list(self) -> bool:
        """Whether several values are taken."""
        return get_origin(self.field.annotation) is tuple


def every_setting(section: type[Section] = Settings, *above: str) -> Iterator[Setting]:
    """All settings in the order of their tables."""
    for name, field in section.model_fields.items():
        path = (*above, name)
        if _is_section(field.annotation):
            yield from every_setting(cast("type[Section]", field.annotation), *path)
        else:
            yield Setting(path, field)


def load_settings(home: Path, environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of a home; a home without a file has the defaults.

    Args:
        home: the folder that may hold ``settings.toml``.
        environ: the environment; by default that of the process. A variable that is set to
            nothing counts as unset. Lists are comma-separated or JSON, lists of tables JSON.

    Raises:
        SettingsError: the file cannot be read, or a value cannot be used.
    """
    environment = os.environ if environ is None else environ
    given = _from_file(home)
    from_environment: set[tuple[str, ...]] = set()
    for setting in every_setting():
        if text := environment.get(setting.variable):
            _put(given, setting.path, _value(setting, text))
            from_environment.add(setting.path)
    try:
        settings = Settings.model_validate(given)
    except ValidationError as wrong:
        raise SettingsError(_told(wrong, from_environment)) from wrong
    upstreams = tuple(_with_named_key(each, environment) for each in settings.upstreams)
    return settings.model_copy(update={"upstreams": upstreams})


def _from_file(home: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((home / FILE_NAME).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as refused:
        raise SettingsError(
            f"{FILE_NAME} cannot be read ({refused.strerror}). Let this user read it, or remove it."
        ) from refused
    except UnicodeDecodeError as wrong:
        raise SettingsError(f"{FILE_NAME} is not UTF-8 text. Save it as UTF-8.") from wrong
    except tomllib.TOMLDecodeError as wrong:
        raise SettingsError(f"{FILE_NAME} is not TOML: {wrong}. Correct that line.") from wrong


def _put(given: dict[str, Any], path: tuple[str, ...], value: object) -> None:
    name, *rest = path
    if not rest:
        given[name] = value
        return
    table = given.setdefault(name, {})
    if isinstance(table, dict):
        _put(cast("dict[str, Any]", table), tuple(rest), value)


def _value(setting: Setting, text: str) -> object:
    if not setting.is_list:
        return text
    if setting.entry is None and not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return json.loads(text)
    except json.JSONDecodeError as wrong:
        raise SettingsError(
            f"The variable {setting.variable} is not JSON ({wrong.msg}). "
            "Give it as a JSON list, or unset it."
        ) from wrong


def _told(wrong: ValidationError, from_environment: set[tuple[str, ...]]) -> str:
    faults = wrong.errors(include_url=False, include_input=False, include_context=False)
    return "\n".join(_fault(fault, from_environment) for fault in faults)


def _fault(fault: ErrorDetails, from_environment: set[tuple[str, ...]]) -> str:
    names = tuple(part for part in fault["loc"] if isinstance(part, str))
    key = _spelled(fault["loc"])
    where = f"{FILE_NAME}, `{key}`" if key else FILE_NAME
    for path in from_environment:
        if names[: len(path)] == path:
            where = f"The variable {PREFIX}{'_'.join(path).upper()} (`{key}`)"
    match fault["type"]:
        case "extra_forbidden":
            return f"{where}: there is no such setting. {_nearest(names)}"
        case "missing":
            return f"{where}: this is missing. Add it."
        case "model_type":
            return f"{where}: this must be a table. Correct it, or remove it."
        case _:
            what = fault["msg"].removeprefix("Value error, ")
            return f"{where}: {what[:1].lower()}{what[1:]}. Correct it, or remove it."


def _spelled(location: tuple[int | str, ...]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "".join(parts).removeprefix(".")


def _nearest(names: tuple[str, ...]) -> str:
    known: set[str] = set()
    for setting in every_setting():
        known.update(".".join(setting.path[:depth]) for depth in range(1, len(setting.path) + 1))
        if setting.entry is not None:
            known.update(f"{setting.key}.{name}" for name in setting.entry.model_fields)
    near = difflib.get_close_matches(".".join(names), sorted(known), n=1)
    return f"Did you mean `{near[0]}`?" if near else "Remove it."


def _with_named_key(upstream: UpstreamSettings, environment: Mapping[str, str]) -> UpstreamSettings:
    if upstream.key_env is None:
        return upstream
    key = environment.get(upstream.key_env)
    if not key:
        raise SettingsError(
            f"The upstream {upstream.name!r} takes its key from the variable {upstream.key_env}, "
            "which is not set. Set it, or give the upstream a key of its own."
        )
    return upstream.model_copy(update={"key": SecretStr(key)})


def _is_section(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Section)
