from typing import Any

import pytest

from capabilities.kernel.codes import Code
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from ledger.stores import policies
from tests.scene import Scene
from world.stage import RELEASE


@pytest.mark.anyio
async def test_names_are_identified_by_the_version_in_force(scene: Scene) -> None:
    await scene.publish(IdentityPolicy(accepted=(Grade.A,)))
    told = await scene.answer("identity.explain", name="Sintel.2010.1080p.BluRay-GRP")
    assert (told["grade"], told["accepted"]) == ("B", False)


@pytest.mark.anyio
@pytest.mark.parametrize("body", [{"accepted": ["Z"]}, {"colour": "red"}])
async def test_a_version_that_cannot_be_used_identifies_nothing_and_says_so(
    scene: Scene, body: dict[str, Any]
) -> None:
    release = await scene.release()
    at = scene.ledger.now()
    await scene.write(lambda tx: policies.publish(tx, "identity", body, at))
    asked: list[tuple[str, dict[str, Any]]] = [
        ("identity.explain", {"name": RELEASE}),
        ("identity.resolve", {"release": release}),
    ]
    for capability, given in asked:
        refused = await scene.refusal(Code.PRECONDITION, capability, **given)
        assert refused.sentence.startswith("The identity policy in force cannot be used: ")
        assert "policy__preview" in str(refused.needs["do"])
