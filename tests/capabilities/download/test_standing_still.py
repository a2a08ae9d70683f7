"""Whether a pause was meant is told by what we know of it; what was meant is not resumed."""

from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import ClientState, Transfer
from capabilities.download.standing_still import CHECKED_FACT, why_not_resumed
from capabilities.rules.holding import HELD, Hold
from ledger.stores.downloads import DownloadRow
from tests.scene import Scene

pytestmark = pytest.mark.anyio

STOPPED = Transfer(
    InfoHashes("ab" * 20),
    "a film",
    ClientState.PAUSED_BY_US,
    wanted_bytes=10,
    done_bytes=10,
    down_rate=0,
    up_rate=0,
    peers=0,
    save_path=Path("/downloads"),
    category="matinee",
)


def row(scene: Scene, **facts: object) -> DownloadRow:
    at = scene.ledger.now()
    return DownloadRow(
        id="dl_1",
        client="embedded",
        info_hash="ab" * 20,
        hash_v1="ab" * 20,
        hash_v2=None,
        name="a film",
        plan="plan_1",
        release="rel_1",
        work="work_1",
        run=None,
        state="imported",
        size=10,
        done=10,
        facts=facts,
        last_error=None,
        created_at=at,
        updated_at=at,
        completed_at=at,
    )


@pytest.mark.parametrize(
    ("state", "facts", "says"),
    [
        (ClientState.PAUSED_BY_US, {}, None),
        (ClientState.FAILED, {}, None),
        (ClientState.COMPLETED, {CHECKED_FACT: True}, None),
        (ClientState.COMPLETED, {}, "was stopped in its client"),
        (ClientState.PAUSED_BY_OWNER, {}, "The owner paused it"),
        (ClientState.MISSING_FILES, {}, "Files of it are missing"),
        (ClientState.SEEDING, {}, "does not stand still"),
        (ClientState.PAUSED_BY_US, {HELD: Hold.SPACE}, "want of space"),
        (ClientState.PAUSED_BY_US, {HELD: Hold.DANGER}, "what it contains"),
        (ClientState.PAUSED_BY_US, {HELD: Hold.GIVEN_UP}, "given up"),
    ],
)
async def test_only_what_nobody_meant_to_stop_runs_again(
    scene: Scene, state: ClientState, facts: dict[str, object], says: str | None
) -> None:
    stands = replace(STOPPED, state=state)
    why = await scene.read(
        lambda conn: why_not_resumed(conn, row(scene, **facts), stands, guarded=True)
    )
    assert (why is None) == (says is None)
    if why is not None and says is not None:
        assert says in why.sentence


@pytest.mark.parametrize("guarded", [True, False])
async def test_what_lacks_something_runs_only_where_nobody_shares_its_files(
    scene: Scene, *, guarded: bool
) -> None:
    lacks = replace(STOPPED, done_bytes=9)
    why = await scene.read(lambda c: why_not_resumed(c, row(scene), lacks, guarded=guarded))
    assert (why is not None) is guarded
