"""The reference page of the settings, generated from their declarations."""

import json
from collections.abc import Iterator

from pydantic.fields import FieldInfo

from server.settings_loading import FILE_NAME, Setting, every_setting

_OPENING = f"""# Settings

Set in `{FILE_NAME}` in the home, or in the environment, which wins. A variable that is set to
nothing counts as unset. Lists are comma-separated or JSON in the environment; lists of tables are
JSON. Unknown settings are refused at the start.

| Setting | Default | Environment | Meaning |
|---|---|---|---|
"""


def settings_reference() -> str:
    """The whole page as Markdown: each setting with its default, variable and sentence."""
    return _OPENING + "".join(f"{row}\n" for row in _rows())


def _rows() -> Iterator[str]:
    for setting in every_setting():
        default, variable = _default(setting.field), f"`{setting.variable}`"
        yield _row(setting.key, default, variable, setting.field)
        yield from _entries(setting, variable)


def _entries(setting: Setting, variable: str) -> Iterator[str]:
    if setting.entry is not None:
        for name, field in setting.entry.model_fields.items():
            default = "required" if field.is_required() else _default(field)
            yield _row(f"{setting.key}[].{name}", default, f"in {variable}", field)


def _row(key: str, default: str, variable: str, field: FieldInfo) -> str:
    return f"| `{key}` | {default} | {variable} | {field.description} |"


def _default(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True, validated_data={})
    return "not set" if default is None else f"`{json.dumps(default)}`"
