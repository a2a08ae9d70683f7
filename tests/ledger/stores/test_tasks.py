from ledger.stores import tasks
from ledger.stores.tasks import ENDED, TaskState
from ledger.writer import Transaction
from tests.ledger.moments import START, later


def added(tx: Transaction, kind: str = "track", subject: str = "dl_1", second: float = 0) -> str:
    id_ = tasks.add(tx, kind, subject, later(second))
    assert id_ is not None
    return id_


def test_a_new_task_is_queued_and_has_done_nothing(tx: Transaction) -> None:
    found = tasks.by_id(tx.conn, added(tx))
    assert found is not None
    assert (found.kind, found.subject, found.state) == ("track", "dl_1", TaskState.QUEUED)
    assert (found.attempts, found.steps, found.last_error, found.created_at) == (0, [], None, START)
    assert tasks.by_id(tx.conn, "task_none") is None


def test_a_subject_has_one_task_of_a_kind(tx: Transaction) -> None:
    first = added(tx)
    assert tasks.add(tx, "track", "dl_1", later(1)) is None
    second = added(tx, kind="import", second=1)
    added(tx, subject="dl_2")
    assert [task.id for task in tasks.of_subject(tx.conn, "dl_1")] == [first, second]


def test_every_step_stays_in_sight(tx: Transaction) -> None:
    id_ = added(tx)
    tasks.add_step(tx, id_, {"error": "no answer"})
    tasks.add_step(tx, id_, {"step": "placed"})
    found = tasks.by_id(tx.conn, id_)
    assert found is not None
    assert found.steps == [{"error": "no answer"}, {"step": "placed"}]


def test_what_still_owes_something_is_listed_oldest_first(tx: Transaction) -> None:
    ids = {state: added(tx, subject=state, second=-n) for n, state in enumerate(TaskState)}
    for state, id_ in ids.items():
        tasks.change(tx, id_, state=state)
    owing = [ids[state] for state in TaskState if state not in ENDED]
    assert [task.id for task in tasks.unfinished(tx.conn)] == owing[::-1]


def test_columns_are_changed_of_one_task_only(tx: Transaction) -> None:
    one, other = added(tx), added(tx, subject="dl_2")
    tasks.change(tx, one, attempts=2, last_error="no answer", next_try_at=later(5))
    changed, kept = tasks.by_id(tx.conn, one), tasks.by_id(tx.conn, other)
    assert changed is not None
    assert kept is not None
    assert (changed.attempts, changed.last_error, changed.next_try_at) == (2, "no answer", later(5))
    assert (kept.attempts, kept.last_error, kept.next_try_at) == (0, None, None)
