from dataclasses import replace
from datetime import timedelta

import pytest

from capabilities.kernel.context import Context
from capabilities.release.standard import Standard
from capabilities.release.verdict import stored_verdict, told, verdict
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.reasons import Rule
from capabilities.rules.standing import NOTHING_AROUND
from tests.capabilities.rules.shelf import SINTEL
from tests.capabilities.rules.verdict_of import OFFER
from tests.scene import KEY, OWNER, Scene

BY = Standard(3, AcquisitionPolicy(delay_minutes=60), IdentityPolicy(), SINTEL, NOTHING_AROUND)


@pytest.mark.anyio
async def test_nothing_waits_for_the_owner_and_what_is_kept_waits_for_everybody(
    scene: Scene,
) -> None:
    hers, others = (
        Context(who, scene.ledger, scene.parts, "request", "call") for who in (OWNER, KEY)
    )
    young = scene.ledger.now() - timedelta(minutes=5)
    found = replace(OFFER, title="Sintel.2010.1080p.BluRay", published=young)
    assert verdict(found, Grade.A, BY, hers).accepted
    assert [one.rule for one in verdict(found, Grade.A, BY, others).rejections] == [Rule.DELAY]
    for context in (hers, others):
        kept = stored_verdict(found, BY, context)
        assert (kept["accepted"], kept["policy_version"], kept["grade"]) == (False, 3, "E")
        assert [one["rule"] for one in kept["reasons"]] == ["delay"]


@pytest.mark.anyio
async def test_what_refuses_it_is_told_first_with_what_it_hit(scene: Scene) -> None:
    context = Context(KEY, scene.ledger, scene.parts, "request", "call")
    found = replace(OFFER, title="Sintel.2010.1080p.BluRay", seeders=0)
    rules = told(verdict(found, Grade.A, BY, context), 2)
    assert [(one.rule, one.hit, one.rejects) for one in rules] == [
        ("seeders", "0", True),
        ("tier", "1080p BluRay", False),
    ]
