from dataclasses import replace

import pytest

from capabilities.kernel.context import Context
from capabilities.kernel.faults import LostAnswerError
from capabilities.organize.holding import confirm, held_by
from ledger.stores import claims
from tests.left_behind import dead_placing, frozen
from tests.scene import IMPORT, Scene

pytestmark = pytest.mark.anyio


async def test_a_claim_is_held_by_the_worker_that_took_it_up_and_until_it_is_taken_away(
    scene: Scene,
) -> None:
    by_hand = Context(IMPORT, scene.ledger, scene.parts, "request", "call")
    assert await held_by(by_hand) is None
    await confirm(scene.ledger, None)
    claim = await dead_placing(scene, await frozen(scene))
    context = replace(by_hand, invocation=claim.id)
    with pytest.raises(LostAnswerError, match="Another attempt took over"):
        await held_by(context)

    (unknown,) = await scene.claims("organize.execute")
    worker = scene.ledger.worker
    token = await scene.write(lambda tx: claims.take_up(tx, claim.id, unknown.token, worker))
    held = await held_by(context)
    assert held == (claim.id, token)
    await confirm(scene.ledger, held)

    await scene.write(lambda tx: claims.disown(tx, "another"))
    with pytest.raises(LostAnswerError, match="Another attempt took over"):
        await confirm(scene.ledger, held)
