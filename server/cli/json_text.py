"""JSON for people and programs: real characters, and nothing that steers a terminal."""

import json
import sys


def json_text(
    document: object, *, indent: int | None = None, separators: tuple[str, str] | None = None
) -> str:
    """JSON with the characters of every script as they are.

    What cannot be seen is escaped: controls, directions, lone surrogates. All is where standard
    output cannot write it.
    """
    text = json.dumps(document, ensure_ascii=False, indent=indent, separators=separators)
    shown = "".join(each if each.isprintable() or each == "\n" else _escaped(each) for each in text)
    try:
        shown.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(document, indent=indent, separators=separators)
    return shown


def _escaped(sign: str) -> str:
    return json.dumps(sign)[1:-1]
