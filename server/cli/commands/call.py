"""`matinee call`."""

import json
import sys
from typing import cast

import click

from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.hints import USUAL
from server.cli.printing import document_text
from server.cli.running import running

FROM_STDIN = "-"


@click.command(
    cls=Command,
    example="""matinee call catalog.lookup '{"query": "Night Train"}'""",
    document='{"outcome": "succeeded|pending|unknown", "sentence": "...", "data": {...}}',
)
@click.argument("capability")
@click.argument("arguments", metavar="[JSON|-]", default="{}")
@click.option(
    "--idempotency-key",
    metavar="KEY",
    help="The same key with the same arguments is the same call, however often it is made.",
)
@with_terminal
def command(
    terminal: Terminal, capability: str, arguments: str, idempotency_key: str | None
) -> Exit:
    """Call one capability with a JSON object, `-` for standard input.

    Its data is printed as JSON, what came of it as words. What needs an approval ends with 3 and
    says what to type. It is called by the local key, so it counts as a client, not as your hand.
    """
    given = _object(sys.stdin.read() if arguments == FROM_STDIN else arguments)
    with running(terminal.home) as api:
        try:
            answer = api.invoke(capability, given, key=idempotency_key)
        except EndError as end:
            raise _with_next_step(end, capability) from end
    terminal.speech.words(answer.sentence)
    terminal.speech.data(document_text(answer.data))
    terminal.speech.document(
        {"outcome": answer.outcome, "sentence": answer.sentence, "data": answer.data}
    )
    return answer.status


def _object(text: str) -> dict[str, object]:
    try:
        given = json.loads(text)
    except ValueError as wrong:
        raise click.UsageError(f"The arguments are not JSON ({wrong}).") from wrong
    if not isinstance(given, dict):
        raise click.UsageError("The arguments must be one JSON object.")
    return cast("dict[str, object]", given)


def _with_next_step(end: EndError, capability: str) -> EndError:
    needs = end.details.get("needs")
    if not isinstance(needs, dict):
        return end
    told = cast("dict[str, object]", needs)
    if "approval" in told:
        named = told.get("decision", told["approval"])
        hint = f"Type `matinee approve {named}`; then repeat this same call."
    elif "example" in told:
        example = json.dumps(told["example"], ensure_ascii=False)
        hint = f"For example: `{USUAL.line('call', capability, example)}`"
    else:
        return end
    return EndError(end.status, end.sentence, code=end.code, hint=hint, details=end.details)
