import pytest

from capabilities.kernel.codes import Code
from server.cli.exits import MEANINGS, EndError, Exit, exit_of


def test_the_statuses_never_change() -> None:
    assert {each.name: int(each) for each in Exit} == {
        "DONE": 0,
        "FAILED": 1,
        "USAGE": 2,
        "NEEDS_YOU": 3,
        "UNREACHABLE": 4,
        "UNKNOWN": 5,
        "INTERRUPTED": 130,
    }
    assert set(MEANINGS) == set(Exit)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (Code.INVALID_INPUT, Exit.USAGE),
        (Code.NOT_FOUND, Exit.FAILED),
        (Code.PRECONDITION, Exit.FAILED),
        (Code.CONFLICT, Exit.FAILED),
        (Code.DENIED, Exit.FAILED),
        (Code.NEEDS_APPROVAL, Exit.NEEDS_YOU),
        (Code.BUDGET_EXCEEDED, Exit.FAILED),
        (Code.RATE_LIMITED, Exit.UNREACHABLE),
        (Code.UNAVAILABLE, Exit.UNREACHABLE),
        (Code.TIMEOUT, Exit.UNREACHABLE),
        (Code.UNKNOWN_OUTCOME, Exit.UNKNOWN),
        (Code.CANCELLED, Exit.FAILED),
        (Code.INTERNAL, Exit.FAILED),
    ],
)
def test_every_code_has_its_status(code: Code, status: Exit) -> None:
    assert exit_of(code) is status


def test_the_document_of_an_error_says_what_the_words_say() -> None:
    end = EndError(Exit.NEEDS_YOU, "No.", code="denied", hint="Ask.", details={"who": "owner"})
    assert end.document == {
        "error": {"code": "denied", "sentence": "No.", "hint": "Ask.", "who": "owner"},
        "exit": 3,
    }
