"""One torrent is checked anew, or runs again where nobody meant it to stand still."""

from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import ClientState, Downloaders, Pauser, Transfer
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Unknown
from capabilities.rules.holding import HELD, Hold
from ledger.clock import new_id
from ledger.stores import claims, decisions, downloads
from ledger.stores.claims import Claim, ClaimState
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.downloads import DownloadRow
from server.background.recovery import look_at_unknown
from tests.capabilities.download.removing import ASKER, imported, listing, source
from tests.capabilities.download.submitting import another_client, without_an_answer
from tests.ledger.rows import new_claim
from tests.scene import OWNER, VIDEO, Scene

pytestmark = pytest.mark.anyio

RECHECK = "download.recheck"


async def now(scene: Scene, row: DownloadRow) -> Transfer:
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    return transfer


async def until(scene: Scene, row: DownloadRow, *states: ClientState) -> Transfer:
    with anyio.fail_after(5):
        async with scene.client.changes() as changes:
            while (transfer := await now(scene, row)).state not in states:
                await anext(changes)
    return transfer


@pytest.fixture(autouse=True)
async def afterwards(scene: Scene) -> AsyncGenerator[None]:
    yield
    for transfer in await scene.client.transfers():
        await scene.client.remove(transfer.hashes.key, delete_data=False)


def damaged(path: Path) -> bytes:
    """The file with its last bytes changed, in place; what it holds then."""
    with path.open("r+b") as file:
        file.seek(-64, 2)
        file.write(bytes(64))
    return path.read_bytes()


async def test_what_is_missing_of_one_that_is_in_no_library_is_fetched_again(scene: Scene) -> None:
    row = await scene.arrived()
    whole = source(scene).read_bytes()
    damaged(source(scene))
    answer = await scene.answer(RECHECK, OWNER, download=row.id)
    assert (answer["held"], answer["client"], answer["how"]) == (False, "embedded", "recheck")
    await scene.until_complete(row.info_hash)
    assert source(scene).read_bytes() == whole


async def test_one_whose_files_the_library_shares_is_checked_standing_still_and_goes_on(
    scene: Scene,
) -> None:
    row = await imported(scene)
    answer = await scene.answer(RECHECK, OWNER, download=row.id)
    assert (answer["complete"], answer["held"], answer["state"]) == (True, False, "seeding")
    await until(scene, row, ClientState.SEEDING)
    assert "stopped_for_check" not in (await scene.download(row.id)).facts


@pytest.mark.parametrize("id_", ["arr-58"])
async def test_nothing_is_fetched_into_a_file_that_the_library_shares(
    scene: Scene, id_: str
) -> None:
    del id_
    row = await imported(scene)
    changed = damaged(scene.folders.films / VIDEO)
    outcome = await scene.call(RECHECK, OWNER, download=row.id)
    assert "It stays stopped" in outcome.sentence
    assert (await now(scene, row)).state is ClientState.PAUSED_BY_US
    assert (scene.folders.films / VIDEO).read_bytes() == changed
    refused = await scene.refusal(Code.PRECONDITION, RECHECK, OWNER, download=row.id, how="resume")
    assert "would be written into files that the library has" in refused.sentence
    assert (await now(scene, row)).state is ClientState.PAUSED_BY_US
    assert (scene.folders.films / VIDEO).read_bytes() == changed


async def test_no_other_torrent_and_no_file_is_touched(scene: Scene) -> None:
    row = await imported(scene)
    before = listing(scene, links=True)
    await scene.answer(RECHECK, OWNER, download=row.id)
    assert listing(scene, links=True) == before


async def test_one_that_the_owner_paused_is_checked_and_stays_paused(scene: Scene) -> None:
    row = await imported(scene)
    await scene.client.pause(row.info_hash, by=Pauser.OWNER)
    answer = await scene.answer(RECHECK, OWNER, download=row.id)
    assert answer["held"] is False
    assert (await now(scene, row)).state is ClientState.COMPLETED
    with_owner = await scene.refusal(
        Code.PRECONDITION, RECHECK, OWNER, download=row.id, how="resume"
    )
    assert "stopped in its client" in with_owner.sentence


async def test_a_pause_of_the_owner_is_not_resumed(scene: Scene) -> None:
    scene.stage.seed.limit(1)
    try:
        row = await scene.submitted()
        await scene.client.pause(row.info_hash, by=Pauser.OWNER)
        refused = await scene.refusal(
            Code.PRECONDITION, RECHECK, OWNER, download=row.id, how="resume"
        )
    finally:
        scene.stage.seed.limit(0)
    assert "The owner paused it" in refused.sentence


@pytest.mark.parametrize("hold", Hold)
async def test_what_is_held_for_a_reason_is_not_resumed(scene: Scene, hold: Hold) -> None:
    scene.stage.seed.limit(1)
    try:
        row = await scene.submitted()
        await scene.client.pause(row.info_hash, by=Pauser.US)
        await scene.write(lambda tx: downloads.change(tx, row.id, facts={HELD: hold.value}))
        await scene.refusal(Code.PRECONDITION, RECHECK, OWNER, download=row.id, how="resume")
    finally:
        scene.stage.seed.limit(0)
    assert (await now(scene, row)).state is ClientState.PAUSED_BY_US


async def test_what_a_question_about_danger_is_open_for_is_not_resumed(scene: Scene) -> None:
    row = await scene.arrived()
    asked = NewDecision(DecisionKind.DANGEROUS_CONTENT, "danger:1", "A program", subject=row.id)
    await scene.write(lambda tx: decisions.raise_(tx, asked, scene.ledger.now()))
    refused = await scene.refusal(Code.PRECONDITION, RECHECK, OWNER, download=row.id, how="resume")
    assert "because of what it contains" in refused.sentence


async def test_a_pause_that_nobody_meant_is_resumed(scene: Scene) -> None:
    scene.stage.seed.limit(1)
    try:
        row = await scene.submitted()
        await scene.client.pause(row.info_hash, by=Pauser.US)
        answer = await scene.answer(RECHECK, OWNER, download=row.id, how="resume")
    finally:
        scene.stage.seed.limit(0)
    assert (answer["how"], answer["held"]) == ("resume", False)
    await scene.until_complete(row.info_hash)


async def test_one_that_runs_is_not_resumed(scene: Scene) -> None:
    row = await scene.arrived()
    refused = await scene.refusal(Code.PRECONDITION, RECHECK, OWNER, download=row.id, how="resume")
    assert refused.sentence == "It does not stand still. Nothing was done."


async def test_a_key_needs_an_approval_which_is_good_for_one_check(scene: Scene) -> None:
    row = await imported(scene)
    await scene.approved(RECHECK, ASKER, download=row.id)
    assert (await scene.answer(RECHECK, ASKER, download=row.id))["complete"]
    await scene.refusal(Code.NEEDS_APPROVAL, RECHECK, ASKER, download=row.id)


async def test_one_that_no_client_has_is_not_found(scene: Scene) -> None:
    row = await imported(scene)
    await scene.client.remove(row.info_hash, delete_data=False)
    await scene.failure(Code.NOT_FOUND, RECHECK, OWNER, download=row.id)
    await scene.failure(Code.NOT_FOUND, RECHECK, OWNER, download="dl:9")


@pytest.mark.parametrize("id_", ["ORG-27"])
async def test_it_is_done_in_the_client_that_has_it(scene: Scene, tmp_path: Path, id_: str) -> None:
    del id_
    row = await imported(scene)
    async with another_client(tmp_path, "attic") as attic:
        both = scene.having(Downloaders((attic, scene.client), "attic"))
        assert (await both.answer(RECHECK, OWNER, download=row.id))["client"] == "embedded"


async def left(scene: Scene, row: DownloadRow, **facts: object) -> Claim:
    """The claim of a process that died at a recheck."""
    held = {
        "download": row.id,
        "info_hash": row.info_hash,
        "client": row.client,
        "how": "recheck",
        "before": "running",
        "guarded": True,
        **facts,
    }
    key = f"{held['how']}:btih:{row.info_hash}"
    new = new_claim(
        capability=RECHECK,
        actor=str(ASKER),
        principal=ASKER.principal,
        request="before",
        call_id=new_id("call"),
        key=new_id("key"),
        natural_key=key,
        worker="dead",
        target={"kind": "torrent", "natural_key": key, "facts": held},
        plan=None,
        plan_hash=None,
        plan_revision=None,
        authority=None,
    )
    claim = await scene.write(lambda tx: claims.claim(tx, new, scene.ledger.now()))
    await scene.write(lambda tx: claims.disown(tx, scene.ledger.worker))
    return claim


async def test_one_that_died_after_it_was_stopped_is_checked_and_goes_on(scene: Scene) -> None:
    row = await imported(scene)
    await scene.client.pause(row.info_hash, by=Pauser.US)
    await left(scene, row)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(RECHECK)
    assert claim.state is ClaimState.SUCCEEDED
    await until(scene, row, ClientState.SEEDING)


async def test_a_resume_that_was_sent_is_known_by_the_torrent_that_runs(scene: Scene) -> None:
    row = await scene.arrived()
    await left(scene, row, how="resume", before="failed")
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(RECHECK)
    assert claim.state is ClaimState.SUCCEEDED


async def test_one_that_was_not_sent_may_be_tried_again(scene: Scene) -> None:
    row = await scene.arrived()
    await left(scene, row, how="resume")
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(RECHECK)
    assert (claim.state, claim.free_again) == (ClaimState.FAILED, True)


async def test_while_its_client_does_not_answer_it_stays_unknown(
    scene: Scene, tmp_path: Path
) -> None:
    row = await scene.arrived()
    await left(scene, row)
    away = await without_an_answer(scene, tmp_path)
    assert isinstance(await away.call(RECHECK, OWNER, download=row.id), Unknown)
