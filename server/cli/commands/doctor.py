"""`matinee doctor`."""

import logging
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import click
import structlog

from server.cli.columns import columns
from server.cli.command import Command
from server.cli.doctor.examination import examine, repaired, worst
from server.cli.doctor.finding import Finding, Severity
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.printing import Speech

STATUS = {
    Severity.OK: Exit.DONE,
    Severity.NOTICE: Exit.DONE,
    Severity.WARNING: Exit.NEEDS_YOU,
    Severity.ERROR: Exit.FAILED,
}


@click.command(
    cls=Command,
    example="matinee doctor --fix",
    document='{"findings": [{"id": "...", "severity": "ok|notice|warning|error", '
    '"sentence": "...", "fix": "...", "can_fix": bool}], "fixed": [ids], "worst": "..."}',
)
@click.option("--fix", is_flag=True, help="Make missing folders, and close the home to others.")
@click.option(
    "--clients",
    is_flag=True,
    help="Prove with a small torrent that each download client saves where we look.",
)
@with_terminal
def command(terminal: Terminal, *, fix: bool, clients: bool) -> Exit:
    """Look for what is wrong with this home, also offline.

    Changes nothing without --fix; what --clients adds to a client is taken away again. Ends with
    1 at an error, with 3 at a warning. With -v, what is logged meanwhile is shown too.
    """
    with _unlogged(terminal.speech.verbosity):
        findings = examine(terminal.home, ask_clients=clients)
        fixed = _repaired(findings) if fix else []
        if fixed:
            findings = examine(terminal.home, ask_clients=clients)
            terminal.speech.words(f"Fixed: {', '.join(fixed)}.")
    terminal.speech.data(
        columns([row for finding in findings for row in _rows(finding, terminal.speech)])
    )
    terminal.speech.document(
        {
            "findings": [finding.facts for finding in findings],
            "fixed": fixed,
            "worst": worst(findings).word,
        }
    )
    return STATUS[worst(findings)]


@contextmanager
def _unlogged(verbosity: int) -> Generator[None]:
    """Have a finding alone say what is also logged, unless somebody wants to see the log."""
    before = structlog.get_config()
    if not verbosity:
        level = structlog.make_filtering_bound_logger(logging.CRITICAL)
        structlog.configure(wrapper_class=level)
    try:
        yield
    finally:
        structlog.configure(**before)


def _repaired(findings: list[Finding]) -> list[str]:
    try:
        return repaired(findings)
    except OSError as refused:
        raise EndError(
            Exit.FAILED,
            f"A repair was refused: {refused.strerror}. Do it as the folder's owner.",
        ) from refused


def _rows(finding: Finding, speech: Speech) -> Iterator[list[str]]:
    yield [finding.severity.word, finding.id, speech.hinted(finding.sentence)]
    if finding.fix:
        yield ["", "", f"→ {speech.hinted(finding.fix)}"]
