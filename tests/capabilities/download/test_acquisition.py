from dataclasses import replace

import pytest

from capabilities.adapters.downloader.port import ClientState
from capabilities.download.acquisition import acquisition, natural_key, reach_of
from capabilities.kernel.targets import Reach
from capabilities.rules.under_way import ACTIVE
from ledger.stores.plans import payload_hash
from tests.scene import Scene

OVER = {"failed", "removed"}


@pytest.mark.anyio
async def test_a_payload_comes_back_from_the_ledger_with_the_same_hash(scene: Scene) -> None:
    plan = await scene.plan(await scene.id_of((await scene.drafted())["plan"]))
    again = acquisition(plan).payload()
    assert again == plan.payload
    assert payload_hash(again) == plan.payload_hash
    assert again["import"]["mode"] == "hardlink"


@pytest.mark.anyio
async def test_a_payload_of_before_files_were_left_out_left_none_out(scene: Scene) -> None:
    plan = await scene.plan(await scene.id_of((await scene.drafted())["plan"]))
    new = {"files_left_out", "size_left_out"}
    before = {name: value for name, value in plan.payload.items() if name not in new}
    wanted = acquisition(replace(plan, payload=before))
    assert (wanted.files_left_out, wanted.size_left_out) == (0, 0)


@pytest.mark.anyio
async def test_its_reach_is_its_work_client_library_and_size(scene: Scene) -> None:
    wanted = acquisition(await scene.plan(await scene.id_of((await scene.drafted())["plan"])))
    assert reach_of(wanted) == Reach((wanted.work,), "film", "embedded", "Films", wanted.size)


def test_everything_that_a_client_may_say_is_under_way_or_over() -> None:
    assert {state.value for state in ClientState} - set(ACTIVE) == OVER


def test_the_natural_key_is_the_hash() -> None:
    assert natural_key("ab" * 20) == f"btih:{'ab' * 20}"
