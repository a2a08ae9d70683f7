"""Values of the rules as JSON in the ledger, and back."""

from typing import Any

from pydantic import TypeAdapter

from capabilities.rules.found import Found
from capabilities.rules.works import Work

_WORK: TypeAdapter[Work] = TypeAdapter(Work)
_FOUND: TypeAdapter[Found] = TypeAdapter(Found)


def work_json(work: Work) -> dict[str, Any]:
    """A work as stored."""
    return _WORK.dump_python(work, mode="json")


def work_from(body: dict[str, Any]) -> Work:
    """A stored work."""
    return _WORK.validate_python(body)


def found_json(found: Found) -> dict[str, Any]:
    """An offer as stored."""
    return _FOUND.dump_python(found, mode="json")


def found_from(body: dict[str, Any]) -> Found:
    """A stored offer."""
    return _FOUND.validate_python(body)
