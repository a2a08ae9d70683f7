from capabilities.kernel.discovery import discovered
from server.guard.scopes import LOCAL_SCOPES, known_scopes
from tests.server.api.shelf import SHELF


def test_scopes_follow_from_the_capabilities() -> None:
    scopes = known_scopes(SHELF)
    assert list(scopes) == ["read", "plan", "run", "run.ask", "shelf.put"]
    assert all(sentence.endswith(".") for sentence in scopes.values())


def test_the_local_key_can_ask_plan_run_and_submit_but_nothing_destructive() -> None:
    assert {"read", "plan", "run", "run.ask", "download.submit"} <= set(LOCAL_SCOPES)
    assert not {"download.remove", "decision.resolve"} & set(LOCAL_SCOPES)


def test_the_local_key_may_ask_for_what_it_may_draft() -> None:
    assert "policy.apply" in LOCAL_SCOPES
    (apply,) = (spec for spec in discovered() if spec.id == "policy.apply")
    assert apply.always_asks
