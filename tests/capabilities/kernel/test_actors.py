import pytest

from capabilities.kernel.actors import Actor, agent, client, owner, system


@pytest.mark.parametrize(
    ("who", "spelled", "principal"),
    [
        (owner("ann"), "owner:ann", "owner:ann"),
        (system("import"), "system:import", "system:import"),
        (client("phone", frozenset({"read"})), "key:phone", "key:phone"),
        (agent("run_1", "key:phone", frozenset({"read"})), "run:run_1", "key:phone"),
    ],
)
def test_everyone_has_a_spelling_and_somebody_they_act_for(
    who: Actor, spelled: str, principal: str
) -> None:
    assert (str(who), who.principal) == (spelled, principal)


def test_only_the_owner_decides() -> None:
    assert owner("ann").decides
    everything = frozenset({"read", "decision.resolve", "*"})
    for who in (system("import"), client("phone", everything), agent("r", "owner:ann", everything)):
        assert not who.decides


def test_keys_and_runs_may_what_their_scopes_say_and_no_more() -> None:
    for who in (client("phone", frozenset({"read"})), agent("r", "owner:ann", frozenset({"read"}))):
        assert who.may("read")
        assert not who.may("plan")
        assert not who.may("rea")
    assert owner("ann").may("plan")
    assert system("import").may("plan")
