"""Each option that is offered names a capability that the owner has, with input that it takes."""

from typing import Any

import pytest

from capabilities.kernel.arguments import typed
from capabilities.kernel.discovery import discovered
from ledger.clock import Clock
from ledger.stores.downloads import DownloadRow
from server.background.ways_on import give_up, let_go_on, remove, take

NOW = Clock().now()
ROW = DownloadRow(
    id="dl_1",
    client="embedded",
    info_hash="ab" * 20,
    hash_v1=None,
    hash_v2=None,
    name="Film",
    plan="plan_1",
    release="rel_1",
    work="work_1",
    run=None,
    state="stalled",
    size=1,
    done=0,
    facts={},
    last_error=None,
    created_at=NOW,
    updated_at=NOW,
    completed_at=None,
)
SPECS = {spec.id: spec for spec in discovered()}


@pytest.mark.parametrize(
    "option",
    [give_up(ROW, None), give_up(ROW, "Other"), take("Other", 10**9, "plan_2"), remove(ROW)],
    ids=["give up", "give up for another", "take", "remove"],
)
def test_an_option_is_an_act_that_can_be_carried_out(option: dict[str, Any]) -> None:
    spec = SPECS[option["capability"]]
    assert isinstance(typed(spec, option["arguments"]), spec.given)


def test_an_option_is_said_in_words_for_a_person() -> None:
    assert take("A\u202eB", 1_500_000_000, "plan_2")["title"] == "Take A B instead (1.50 GB)"
    assert "embedded" in remove(ROW)["title"]
    assert let_go_on()["id"] == "accept"
