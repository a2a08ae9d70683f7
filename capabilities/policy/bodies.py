"""The body of a draft: whole, patched, of an earlier version, or with imported formats."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.policy.kinds import AnyPolicy, PolicyKind, policy_of
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.arr_numbers import App
from capabilities.rules.formats import CustomFormat
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy_json import to_json
from capabilities.rules.problems import UnsatisfiableError, refuse
from capabilities.rules.satisfiable_formats import slow_patterns
from capabilities.rules.trash_import import Imported, import_formats

MOST_PROBLEMS = 40


@dataclass(frozen=True, slots=True)
class Import:
    """Formats to be added: as exported, whose numbers they are in, and which scores count."""

    text: str
    app: App
    scores: str


def merged(body: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """The body with fields replaced; one that is null is left to its default.

    Objects inside are merged field by field, lists are replaced whole. Source: RFC 7396.
    """
    result = dict(body)
    for name, held in patch.items():
        before = result.get(name)
        if held is None:
            result.pop(name, None)
        elif isinstance(held, dict) and isinstance(before, dict):
            inner = cast("dict[str, Any]", before)
            result[name] = merged(inner, cast("dict[str, Any]", held))
        else:
            result[name] = held
    return result


def parsed(text: str, field: str) -> dict[str, Any]:
    """A JSON object that somebody wrote.

    Raises:
        HaltError: refused, naming the field.
    """
    try:
        held: object = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise _refused(f"{field}: it is not JSON.", {"example": '{"least_seeders": 3}'}) from wrong
    if not isinstance(held, dict):
        raise _refused(f"{field}: it must be one JSON object.", {"example": '{"least_seeders": 3}'})
    return cast("dict[str, Any]", held)


def valid(kind: PolicyKind, body: Mapping[str, Any]) -> AnyPolicy:
    """The policy that a body describes.

    Raises:
        HaltError: refused with every problem: its field, why, and what would cure it.
    """
    try:
        return policy_of(kind, body)
    except UnsatisfiableError as wrong:
        raise _unsatisfiable(wrong) from wrong


def savable(kind: PolicyKind, body: Mapping[str, Any]) -> AnyPolicy:
    """The same for a draft, whose expressions are tried on hard names as well.

    Raises:
        HaltError: see `valid`.
    """
    policy = valid(kind, body)
    try:
        refuse(slow_patterns(policy.formats) if isinstance(policy, AcquisitionPolicy) else ())
    except UnsatisfiableError as wrong:
        raise _unsatisfiable(wrong) from wrong
    return policy


def _unsatisfiable(wrong: UnsatisfiableError) -> HaltError:
    told = [
        {"field": one.field, "why": cleaned(one.why), "cure": cleaned(one.cure)}
        for one in wrong.problems
    ]
    first = cleaned(wrong.problems[0].sentence)
    more = "" if len(told) == 1 else f" (and {len(told) - 1} more)"
    return _refused(
        f"This policy cannot be saved: {first}{more}.",
        {
            "problems": told[:MOST_PROBLEMS],
            "problems_left_out": max(0, len(told) - MOST_PROBLEMS),
        },
    )


def with_formats(policy: AnyPolicy, given: Import) -> tuple[dict[str, Any], Imported]:
    """The policy's body with imported formats; one of the same name is replaced.

    Raises:
        HaltError: refused; it is no acquisition policy, or there is nothing to import.
    """
    if not isinstance(policy, AcquisitionPolicy):
        raise _refused("formats: only an acquisition policy has custom formats.", {})
    try:
        imported = import_formats(given.text, given.app, given.scores)
    except ValueError as wrong:
        raise _refused(f"formats: {wrong}.", {}) from wrong
    kept: dict[str, CustomFormat] = {custom.name: custom for custom in policy.formats}
    kept.update({custom.name: custom for custom in imported.formats})
    body = to_json(policy)
    body["formats"] = [_format_json(custom) for custom in kept.values()]
    return body, imported


def _format_json(custom: CustomFormat) -> dict[str, Any]:
    return {
        "name": custom.name,
        "score": custom.score,
        "conditions": [
            {
                "kind": one.kind.value,
                "value": one.value,
                "negate": one.negate,
                "required": one.required,
                "name": one.name,
            }
            for one in custom.conditions
        ],
    }


def _refused(sentence: str, needs: Mapping[str, object]) -> HaltError:
    return HaltError(Refused(Code.INVALID_INPUT, f"{sentence} Nothing was drafted.", needs))
