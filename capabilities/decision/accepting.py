"""What an owner's "accept it as it is" changes, where that is more than the end of the question."""

from dataclasses import replace

from capabilities.decision.letting_go_on import let_go_on
from capabilities.kernel.owing import VERIFY, owe
from capabilities.rules.verification import verification_from, verification_json
from ledger.ledger import Ledger
from ledger.stores import shelf, tasks
from ledger.stores.decisions import Decision, DecisionKind
from ledger.writer import Transaction


def accept(tx: Transaction, ledger: Ledger, about: Decision, *, by: str) -> None:
    """Let an import count as verified by the owner's word, or a stopped download go on.

    Other decisions have nothing to change. Durable with the caller's transaction; the task that
    verifies an import closes its record.
    """
    word, _, record = about.dedupe_key.partition(":")
    if word == DecisionKind.DANGEROUS_CONTENT:
        let_go_on(tx, ledger, record, by=by)
        return
    row = shelf.record_by_id(tx.conn, record) if word == VERIFY else None
    if row is None or row.verification is None:
        return
    known = replace(verification_from(row.verification), accepted=by)
    shelf.change_record(tx, row.id, verification=verification_json(known))
    owe(tx, ledger, VERIFY, row.id)
    for task in tasks.of_subject(tx.conn, row.id):
        ledger.engine.wake(tx, "task", task.id)
