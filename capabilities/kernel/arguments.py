"""From what a client sent to a typed input: lossless coercions, and errors one can act on."""

import difflib
import json
from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.kernel.schemas import Schema, published
from capabilities.kernel.spec import Spec
from ledger.texts import is_storable

MOST_FAULTS_SHOWN = 5
LONGEST_NAME_TOLD = 80
UNSTORABLE = "it holds a NUL or half of a surrogate pair, which no text may. Leave it out."


def typed(spec: Spec, arguments: Mapping[str, object]) -> BaseModel:
    """The input model for ``arguments``.

    ``null`` counts as absent, a JSON string is decoded where an object or array is wanted, and
    ``"3"`` is taken for 3. Anything unknown, and text that cannot be
    stored, is refused by name.

    Raises:
        HaltError: refused with ``invalid_input``; the sentence names each field and its fault,
            the needs hold one valid example.
    """
    schema = published(spec.given)
    present = {name: held for name, held in arguments.items() if held is not None}
    unknown = [name for name in present if name not in schema["properties"]]
    if unknown:
        raise HaltError(_refused(spec, _unknown(unknown[0], schema)))
    decoded = {name: _decoded(held, schema["properties"][name]) for name, held in present.items()}
    for name, held in decoded.items():
        if not is_storable(held):
            raise HaltError(_refused(spec, f"{name}: {UNSTORABLE}"))
    try:
        return spec.given.model_validate(decoded)
    except ValidationError as wrong:
        raise HaltError(_refused(spec, _sentences(wrong))) from wrong


def _decoded(held: object, schema: Schema) -> object:
    if isinstance(held, str) and schema.get("type") in {"object", "array"}:
        try:
            return json.loads(held)
        except (ValueError, RecursionError):
            return held
    return held


def _unknown(name: str, schema: Schema) -> str:
    known = list(cast("dict[str, Any]", schema["properties"]))
    told = repr(name[:LONGEST_NAME_TOLD])
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"There is no argument {told}; did you mean {near[0]!r}?"
    takes = ", ".join(known) or "no arguments at all"
    return f"There is no argument {told}; it takes {takes}."


def _sentences(wrong: ValidationError) -> str:
    faults = wrong.errors(include_url=False, include_input=False)
    told = [
        f"{'.'.join(str(part) for part in fault['loc']) or 'input'}: {fault['msg']}"
        for fault in faults[:MOST_FAULTS_SHOWN]
    ]
    return "; ".join(told) + "."


def _refused(spec: Spec, sentence: str) -> Refused:
    return Refused(Code.INVALID_INPUT, sentence, {"example": dict(spec.example)})
