"""An identified release, as whoever plans it knows it."""

from capabilities.download.drafting import Known
from capabilities.kernel.actors import Actor
from capabilities.kernel.context import Context
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.stored import work_from
from ledger.stores import policies, releases, works
from tests.scene import KEY, Scene


def context(scene: Scene, by: Actor = KEY) -> Context:
    """A call by hand."""
    return Context(by, scene.ledger, scene.parts, "request", "call")


async def known(scene: Scene, release: str | None = None) -> Known:
    """A release by its reference; Sintel (2010) for none."""
    row_id = await scene.id_of(release or await scene.identified())
    row = await scene.read(lambda conn: releases.by_id(conn, row_id))
    assert row is not None
    assert row.identity is not None
    work_id = str(row.identity["work"])
    work = await scene.read(lambda conn: works.by_id(conn, work_id))
    policy = await scene.read(lambda conn: policies.published(conn, "acquisition"))
    assert work is not None
    assert policy is not None
    return Known(row, work_id, work_from(work.body), policy, policy, IdentityPolicy())
