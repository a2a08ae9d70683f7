import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError
from capabilities.release.policies_in_force import policies_in_force
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from ledger.stores import policies
from tests.scene import KEY, Scene
from world.stage import RELEASE


def context(scene: Scene) -> Context:
    return Context(KEY, scene.ledger, scene.parts, "request", "call")


async def published(scene: Scene, kind: str, body: dict[str, object]) -> None:
    await scene.write(lambda tx: policies.publish(tx, kind, body, scene.ledger.now()))


@pytest.mark.anyio
async def test_what_is_published_is_read_with_the_version_of_the_acquisition_policy(
    scene: Scene,
) -> None:
    await scene.publish(AcquisitionPolicy(least_seeders=3))
    await scene.write(
        lambda tx: tx.conn.exec_driver_sql("DELETE FROM policy WHERE kind = 'identity'")
    )
    held = await policies_in_force(context(scene))
    assert held is not None
    assert (held.version, held.acquisition.least_seeders) == (2, 3)
    assert held.identity == IdentityPolicy()


@pytest.mark.anyio
async def test_without_an_acquisition_policy_there_is_none(scene: Scene) -> None:
    await scene.write(
        lambda tx: tx.conn.exec_driver_sql("DELETE FROM policy WHERE kind = 'acquisition'")
    )
    assert await policies_in_force(context(scene)) is None


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["acquisition", "identity"])
async def test_a_published_policy_that_cannot_be_used_is_refused_by_its_name(
    scene: Scene, kind: str
) -> None:
    await published(scene, kind, {"nonsense": 1})
    with pytest.raises(HaltError, match=f"The {kind} policy in force cannot be used: nonsense"):
        await policies_in_force(context(scene))


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["acquisition", "identity"])
async def test_neither_search_nor_inspection_goes_on_under_a_policy_that_cannot_be_used(
    scene: Scene, kind: str
) -> None:
    release, work = await scene.release(RELEASE), await scene.work()
    await published(scene, kind, {"nonsense": 1})
    asked = (
        await scene.refusal(Code.PRECONDITION, "release.search", work=work),
        await scene.refusal(Code.PRECONDITION, "release.inspect", release=release),
    )
    for refused in asked:
        assert str(refused.needs["do"]).startswith("Publish one that can be")
