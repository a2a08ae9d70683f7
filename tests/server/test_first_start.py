from pathlib import Path

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.policy_json import from_json, to_json
from ledger.ledger import opened
from ledger.stores import policies
from server.first_start import VERSION_1, publish_defaults


@pytest.mark.anyio
async def test_a_new_home_has_version_1_of_every_policy(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        await publish_defaults(ledger)
        for kind in VERSION_1:
            row = await ledger.read(lambda conn, kind=kind: policies.published(conn, kind))
            assert row is not None
            assert row.version == 1
            assert row.body == to_json(VERSION_1[kind])


@pytest.mark.anyio
async def test_what_the_owner_published_is_left_alone(tmp_path: Path) -> None:
    mine = IdentityPolicy(accepted=(Grade.A,))
    async with opened(tmp_path) as ledger:
        await publish_defaults(ledger)
        at = ledger.now()
        await ledger.write(lambda tx: policies.publish(tx, "identity", to_json(mine), at))
        await publish_defaults(ledger)
        row = await ledger.read(lambda conn: policies.published(conn, "identity"))
    assert row is not None
    assert row.version == 2
    assert from_json(IdentityPolicy, row.body) == mine


def test_nothing_happens_by_itself_to_begin_with() -> None:
    assert VERSION_1["automation"] == AutomationPolicy()
    assert not any(
        (
            AutomationPolicy().acquire,
            AutomationPolicy().organize,
            AutomationPolicy().replace,
            AutomationPolicy().remove,
        )
    )
    assert VERSION_1["acquisition"] == AcquisitionPolicy()
