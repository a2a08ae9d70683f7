from dataclasses import replace
from datetime import timedelta

from ledger.stores import contacts
from ledger.stores.contacts import Contact, Part
from ledger.writer import Transaction
from tests.ledger.moments import START

LATER = START + timedelta(minutes=1)
WELL = Contact(Part.CLIENT, "attic", "qbittorrent", True, "v4.5.2", None, START)
AWAY = replace(WELL, reachable=False, version="", note="It is away.", looked_at=LATER)


def test_what_answers_is_known_with_the_time(tx: Transaction) -> None:
    assert contacts.note(tx, [WELL]) == []
    assert contacts.every(tx.conn, Part.CLIENT) == {"attic": replace(WELL, answered_at=START)}
    assert contacts.every(tx.conn, Part.MEDIA_SERVER) == {}


def test_what_is_away_keeps_its_version_and_the_time_of_its_last_answer(tx: Transaction) -> None:
    contacts.note(tx, [WELL])
    contacts.note(tx, [AWAY])

    kept = replace(AWAY, version="v4.5.2", answered_at=START)
    assert contacts.every(tx.conn, Part.CLIENT) == {"attic": kept}


def test_only_a_turn_is_news(tx: Transaction) -> None:
    back = replace(WELL, looked_at=LATER)
    told = [contacts.note(tx, [look]) for look in (AWAY, AWAY, back, back)]

    assert [[one.reachable for one in turned] for turned in told] == [[False], [], [True], []]


def test_another_system_under_the_same_name_never_answered(tx: Transaction) -> None:
    contacts.note(tx, [WELL])
    contacts.note(tx, [replace(AWAY, kind="transmission")])

    (row,) = contacts.every(tx.conn, Part.CLIENT).values()
    assert (row.version, row.answered_at) == ("", None)


def test_a_client_and_a_media_server_may_have_one_name(tx: Transaction) -> None:
    server = replace(WELL, part=Part.MEDIA_SERVER, kind="jellyfin")
    contacts.note(tx, [WELL, server])

    assert [*contacts.every(tx.conn, Part.MEDIA_SERVER)] == ["attic"]
    assert contacts.every(tx.conn, Part.CLIENT)["attic"].kind == "qbittorrent"
