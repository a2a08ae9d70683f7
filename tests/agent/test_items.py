from collections.abc import Callable

import pytest

from agent.facts import Facts, gather
from agent.items import Standing
from agent.pen import Page
from ledger.clock import new_id
from ledger.stores import downloads, shelf, tasks, works
from ledger.stores.downloads import DownloadRow
from ledger.stores.shelf import RecordRow
from ledger.stores.tasks import TaskState
from ledger.writer import Transaction
from tests.agent.scene import Scene
from tests.ledger.rows import add_run

pytestmark = pytest.mark.anyio


class Tables:
    """Rows about one run, written and read in one transaction that nobody sees."""

    def __init__(self, tx: Transaction, scene: Scene) -> None:
        self.tx = tx
        self.scene = scene
        self.at = scene.ledger.now()
        self.run = new_id("run")
        add_run(tx, self.run, self.at)

    def work(self, title: str, year: int | None = None) -> str:
        return works.keep(
            self.tx, key=f"x:{title}", kind="film", title=title, year=year, body={}, at=self.at
        )

    def download(self, state: str, *, work: str = "gone", size: int = 100) -> str:
        id_ = new_id("dl")
        row = DownloadRow(
            id=id_,
            client="embedded",
            info_hash=new_id("h"),
            hash_v1=None,
            hash_v2=None,
            name="Some.Name.1080p",
            plan=new_id("plan"),
            release="",
            work=work,
            run=self.run,
            state=state,
            size=size,
            done=size // 2,
            facts={},
            last_error=None,
            created_at=self.at,
            updated_at=self.at,
            completed_at=None,
        )
        downloads.add(self.tx, row)
        return id_

    def record(self, download: str, state: str, *targets: str, work: str = "gone") -> None:
        shelf.open_record(
            self.tx,
            RecordRow(
                id=new_id("rec"),
                plan=new_id("plan"),
                download=download,
                work=work,
                run=self.run,
                state=state,
                journal=[],
                placements=[{"target": target} for target in targets],
                verification=None,
                last_error=None,
                created_at=self.at,
                ended_at=self.at,
            ),
        )

    def facts(self) -> Facts:
        return gather(Page(self.tx, self.scene.ledger.engine, self.run, 1, self.at))


async def read(scene: Scene, write: Callable[[Tables], None]) -> Facts:
    def work(tx: Transaction) -> Facts:
        tables = Tables(tx, scene)
        write(tables)
        return tables.facts()

    return await scene.ledger.write(work)


@pytest.mark.parametrize(
    ("download", "record", "standing", "state"),
    [
        ("downloading", None, Standing.OPEN, "downloading"),
        ("imported", None, Standing.OPEN, "imported"),
        ("importing", "running", Standing.OPEN, "importing"),
        ("importing", "verifying", Standing.OPEN, "importing"),
        ("imported", "succeeded", Standing.DONE, "succeeded"),
        ("seeding", "succeeded", Standing.DONE, "succeeded"),
        ("failed", None, Standing.LOST, "failed"),
        ("removed", None, Standing.LOST, "removed"),
        ("needs_owner", "failed", Standing.LOST, "needs_owner"),
        ("completed", "failed", Standing.LOST, "failed"),
    ],
)
async def test_a_download_stands_as_its_row_and_its_newest_record_say(
    scene: Scene, download: str, record: str | None, standing: Standing, state: str
) -> None:
    def write(tables: Tables) -> None:
        id_ = tables.download(download)
        if record is not None:
            tables.record(id_, record)

    (item,) = (await read(scene, write)).items
    assert (item.standing, item.state) == (standing, state)


async def test_a_failed_attempt_is_open_while_its_task_makes_another(scene: Scene) -> None:
    def write(tables: Tables) -> None:
        id_ = tables.download("completed")
        tables.record(id_, "failed")
        tasks.add(tables.tx, "import", id_, tables.at)

    assert [item.standing for item in (await read(scene, write)).items] == [Standing.OPEN]


async def test_a_failed_attempt_is_lost_once_its_task_has_given_up(scene: Scene) -> None:
    def write(tables: Tables) -> None:
        id_ = tables.download("completed")
        tables.record(id_, "failed")
        task = tasks.add(tables.tx, "import", id_, tables.at)
        assert task is not None
        tasks.change(tables.tx, task, state=TaskState.DEAD)

    assert [item.standing for item in (await read(scene, write)).items] == [Standing.LOST]


async def test_several_files_stand_in_the_folder_they_share(scene: Scene) -> None:
    def write(tables: Tables) -> None:
        work = tables.work("Night Trains")
        id_ = tables.download("imported", work=work)
        tables.record(id_, "succeeded", "Night Trains/S01/1.mkv", "Night Trains/S01/2.mkv")

    (item,) = (await read(scene, write)).items
    assert (item.title, item.where) == ("Night Trains", "Night Trains/S01")


async def test_a_record_of_a_download_that_was_not_the_runs_is_an_item_too(scene: Scene) -> None:
    def write(tables: Tables) -> None:
        work = tables.work("Night Train", 1959)
        tables.record("dl_of_another", "succeeded", "Night Train.mkv", work=work)
        tables.record("dl_of_a_third", "failed")
        tables.record("dl_of_a_fourth", "running")

    facts = await read(scene, write)
    assert [(item.title, item.standing) for item in facts.items] == [
        ("Night Train (1959)", Standing.DONE),
        ("A title", Standing.LOST),
        ("A title", Standing.OPEN),
    ]
    assert facts.unsettled


async def test_a_download_of_unknown_size_has_come_no_way(scene: Scene) -> None:
    def write(tables: Tables) -> None:
        tables.download("metadata", size=0)

    (item,) = (await read(scene, write)).items
    assert (item.percent, item.title) == (0, "Some.Name.1080p")


async def test_what_another_one_took_the_place_of_is_no_item_any_more(scene: Scene) -> None:
    def write(tables: Tables) -> None:
        lost, new = tables.download("failed"), tables.download("downloading")
        row = downloads.by_id(tables.tx.conn, new)
        assert row is not None
        facts = {"next_plan": row.plan, "next_taken": True}
        downloads.change(tables.tx, lost, facts=facts)

    assert [item.standing for item in (await read(scene, write)).items] == [Standing.OPEN]


async def test_one_that_was_only_offered_takes_no_place(scene: Scene) -> None:
    def write(tables: Tables) -> None:
        lost = tables.download("failed")
        facts = {"next_plan": "plan_offered", "next_taken": False}
        downloads.change(tables.tx, lost, facts=facts)

    assert [item.standing for item in (await read(scene, write)).items] == [Standing.LOST]


@pytest.mark.parametrize(
    ("state", "standing"),
    [(TaskState.RUNNING, Standing.OPEN), (TaskState.SUCCEEDED, Standing.LOST)],
)
async def test_it_is_not_lost_while_another_one_is_looked_for(
    scene: Scene, state: TaskState, standing: Standing
) -> None:
    def write(tables: Tables) -> None:
        task = tasks.add(tables.tx, "next", tables.download("failed"), tables.at)
        assert task is not None
        tasks.change(tables.tx, task, state=state)

    assert [item.standing for item in (await read(scene, write)).items] == [standing]
