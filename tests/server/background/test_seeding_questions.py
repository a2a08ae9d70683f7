"""What is asked names the client, how far it is, the list, and an act for each answer."""

from dataclasses import replace

import pytest

from capabilities.download.removal import Bar, Removal, list_hash
from capabilities.rules.seeding import SeedingGoals, WhenSeeded
from server.background.seeding_questions import Seeder, gone_too_soon, may_it_go
from tests.capabilities.download.removing import imported
from tests.scene import Scene

pytestmark = pytest.mark.anyio

GOALS = SeedingGoals(ratio=900.0, then=WhenSeeded.ASK_TO_REMOVE)


async def seeder(scene: Scene, *, private: bool = False) -> Seeder:
    row = await imported(scene)
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    return Seeder(row, scene.client, transfer, GOALS, private)


async def test_each_answer_is_an_act_and_deleting_binds_to_the_list(scene: Scene) -> None:
    one = await seeder(scene)
    frozen = Removal(one.row.id, one.row.info_hash, "embedded", delete_data=True, loses="Nothing.")
    asked = may_it_go(one, frozen)
    keeping, deleting, _ = asked.options
    assert keeping["arguments"] == {"download": one.row.id, "delete_data": False}
    assert deleting["arguments"] == {
        "download": one.row.id,
        "delete_data": True,
        "list_hash": list_hash(frozen.facts()),
    }
    assert {keeping["capability"], deleting["capability"]} == {"download.remove"}
    assert asked.evidence["loses"] == "Nothing."


async def test_a_list_that_must_not_be_deleted_is_not_offered(scene: Scene) -> None:
    one = await seeder(scene)
    frozen = Removal("dl_1", "ab", "x", delete_data=True, bar=Bar("A link needs it.", "Wait."))
    asked = may_it_go(one, frozen)
    assert [option["id"] for option in asked.options] == ["remove", "dismiss"]
    assert asked.evidence["files_stay"] == "A link needs it."


async def test_a_limit_of_the_client_and_a_private_tracker_are_said(scene: Scene) -> None:
    one = await seeder(scene, private=True)
    told = one.evidence()
    assert told["stopped"] == "embedded stopped it at its own limit."
    assert "private" in told["private"]
    reached = replace(one, goals=SeedingGoals(ratio=0.1), private=False)
    given = replace(one.transfer, ratio=1.0)
    assert set(replace(reached, transfer=given).evidence()).isdisjoint({"stopped", "private"})


async def test_one_that_is_gone_too_soon_says_what_does_so(scene: Scene) -> None:
    one = await seeder(scene)
    told = gone_too_soon(one.row)
    assert "leave removing to Matinee" in told.evidence["sentence"]
    assert told.options[0]["capability"] == "download.remove"
