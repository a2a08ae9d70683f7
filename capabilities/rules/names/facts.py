"""The facts of a name in the plain normal form in which parsers are compared with each other."""

from collections.abc import Mapping
from typing import Final

from capabilities.rules.names.evidence import with_second_line
from capabilities.rules.names.normal_form import normal_form
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.paths import is_path, parse_path
from capabilities.rules.works import WorkKind

_KINDS: Final = {"movie": WorkKind.FILM, "series": WorkKind.SERIES, "episode": WorkKind.SERIES}


def facts(
    text: str, kind: str | None = None, hint: Mapping[str, str] | None = None
) -> dict[str, object]:
    """Everything that a name or a path says.

    Args:
        text: a release name, a file name, or a path with folders.
        kind: what is known of it beforehand: ``movie``, ``series``, ``anime``, ``daily`` or
            ``path``; anything else says nothing.
        hint: further evidence: ``type`` (``movie`` or ``episode``) and ``subtitle``, the second
            line that some sites print beneath a name.

    Returns:
        JSON-ready values by field; a list is empty and a value None where nothing is said.
    """
    hint = hint or {}
    expects = _KINDS.get(hint.get("type", "")) or _KINDS.get(kind or "")
    if kind == "path" or is_path(text):
        name = parse_path(text, expects=expects)
    else:
        name = parse(text, expects=expects)
    if second := hint.get("subtitle"):
        name = with_second_line(name, second)
    return normal_form(name, expects)
