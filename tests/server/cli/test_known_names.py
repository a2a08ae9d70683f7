import pytest

from server.cli.api_client import connected
from server.cli.exits import EndError, Exit
from server.cli.known_names import refuse_unknown_action, refuse_unknown_scopes
from tests.server.cli.rig import Rig


def test_names_that_there_are_pass(rig: Rig) -> None:
    with connected(rig.home) as api:
        refuse_unknown_scopes(api, ["read", "run.ask"])
        for action in ("shelf.put", "shelf.*", "*"):
            refuse_unknown_action(api, action)


@pytest.mark.parametrize("action", ["shelf.nothing", "foo.bar", "foo.*", "\x1b[31m"])
def test_an_action_that_takes_in_nothing_is_wrong_usage(rig: Rig, action: str) -> None:
    with connected(rig.home) as api, pytest.raises(EndError, match="Nothing was changed") as end:
        refuse_unknown_action(api, action)
    assert end.value.status is Exit.USAGE
    assert end.value.hint.startswith(("There are: ", "Did you mean "))
    assert "\x1b" not in end.value.sentence


def test_a_scope_that_there_is_not_is_wrong_usage(rig: Rig) -> None:
    with connected(rig.home) as api, pytest.raises(EndError, match="no scope 'raed'") as end:
        refuse_unknown_scopes(api, ["read", "raed"])
    assert (end.value.status, end.value.hint) == (Exit.USAGE, "Did you mean 'read'?")
