import sqlalchemy as sa

from ledger.stores import runs
from ledger.stores.runs import OVER, Message, Phase, RunState
from ledger.tables.runs import artifact
from ledger.writer import Transaction
from tests.ledger.moments import START, later


def add(tx: Transaction, id_: str, *, principal: str = "key:local", second: float = 0) -> None:
    runs.add(
        tx,
        id_=id_,
        goal="Get Sintel",
        actor="key:local",
        principal=principal,
        trigger="client",
        options={"propose_first": True},
        at=later(second),
    )


def test_a_new_run_is_queued_at_its_first_step(tx: Transaction) -> None:
    add(tx, "run_1")
    found = runs.by_id(tx.conn, "run_1")
    assert found is not None
    assert (found.goal, found.state, found.phase) == ("Get Sintel", RunState.QUEUED, Phase.DRIVE)
    assert (found.options, found.usage, found.plan) == ({"propose_first": True}, {}, None)
    assert (found.abort_asked, found.created_at, found.ended_at) == (False, START, None)
    assert found.state not in OVER
    assert runs.by_id(tx.conn, "run_none") is None


def test_columns_are_changed_of_one_run_only(tx: Transaction) -> None:
    add(tx, "run_1")
    add(tx, "run_2")
    runs.change(tx, "run_1", state=RunState.FAILED, abort_asked=True, ended_at=later(1))
    one, other = runs.by_id(tx.conn, "run_1"), runs.by_id(tx.conn, "run_2")
    assert one is not None
    assert other is not None
    assert (one.state, one.abort_asked, one.ended_at) == (RunState.FAILED, True, later(1))
    assert (other.state, other.abort_asked, other.ended_at) == (RunState.QUEUED, False, None)


def test_runs_are_listed_newest_first_in_pages_with_their_number(tx: Transaction) -> None:
    for n in range(5):
        add(tx, f"run_{n}", principal="key:a" if n % 2 else "key:b", second=n)
    runs.change(tx, "run_4", state=RunState.SUCCEEDED)

    def ids(found: list[runs.Run]) -> list[str]:
        return [run.id for run in found]

    everything, total = runs.listing(tx.conn)
    assert (ids(everything), total) == ([f"run_{n}" for n in (4, 3, 2, 1, 0)], 5)
    page, total = runs.listing(tx.conn, limit=2, offset=1)
    assert (ids(page), total) == (["run_3", "run_2"], 5)
    mine, total = runs.listing(tx.conn, principal="key:a")
    assert (ids(mine), total) == (["run_3", "run_1"], 2)
    over, total = runs.listing(tx.conn, principal="key:b", states=OVER)
    assert (ids(over), total) == (["run_4"], 1)


def test_a_conversation_is_numbered_from_one_for_each_run(tx: Transaction) -> None:
    assert runs.add_message(tx, "run_1", "user", {"text": "hello"}, START) == 1
    assert runs.add_message(tx, "run_2", "user", {"text": "other"}, START) == 1
    assert runs.add_message(tx, "run_1", "assistant", {"text": "hi"}, later(1)) == 2
    assert runs.messages(tx.conn, "run_1") == [
        Message("run_1", 1, "user", {"text": "hello"}, START),
        Message("run_1", 2, "assistant", {"text": "hi"}, later(1)),
    ]
    assert runs.messages(tx.conn, "run_none") == []


def test_words_wait_in_order_until_they_are_read(tx: Transaction) -> None:
    second = runs.tell(tx, "run_1", "owner:ann", "and in Dutch", later(1))
    first = runs.tell(tx, "run_1", "owner:ann", "only 1080p", START)
    runs.tell(tx, "run_2", "owner:ann", "another matter", START)
    assert [(word.id, word.words) for word in runs.unread(tx.conn, "run_1")] == [
        (first, "only 1080p"),
        (second, "and in Dutch"),
    ]
    runs.mark_read(tx, first, later(2))
    assert [word.id for word in runs.unread(tx.conn, "run_1")] == [second]


def test_a_finished_document_is_kept_with_its_run(tx: Transaction) -> None:
    id_ = runs.add_artifact(tx, "goal_report", "run_1", {"reached": True}, START)
    row = tx.conn.execute(sa.select(artifact).where(artifact.c.id == id_)).one()
    assert (row.kind, row.run, row.body) == ("goal_report", "run_1", {"reached": True})
