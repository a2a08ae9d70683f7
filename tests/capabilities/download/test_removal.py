"""A removal says the same to a person, to a claim and to whoever sends its hash back."""

import json
from typing import Any

from capabilities.adapters.shelf.deleting import DeleteList, Listed
from capabilities.download.removal import MOST_SHOWN, Bar, Removal, doomed_in, list_hash

FILES = tuple(Listed(f"pack/{n:03}.mkv", 1, n, 10**9, 1) for n in range(MOST_SHOWN + 3))
ONE = Removal("dl_1", "ab" * 20, "embedded", delete_data=True, doomed=DeleteList(FILES, ("pack",)))


def test_the_list_of_a_claim_is_the_list_that_was_frozen() -> None:
    facts = json.loads(json.dumps(ONE.facts()))
    assert facts == ONE.facts()
    assert doomed_in(facts) == ONE.doomed
    assert "bar" not in facts


def test_a_bar_is_among_the_facts() -> None:
    barred = Removal("dl_1", "ab" * 20, None, delete_data=True, bar=Bar("Not now.", "Wait."))
    assert barred.facts()["bar"] == {"sentence": "Not now.", "cure": "Wait.", "passing": False}


def test_a_card_shows_every_line_or_says_how_many_it_leaves_out() -> None:
    lines = ONE.card()
    assert lines[1] == f"deletes: {len(FILES)} files, {len(FILES):.2f} GB"
    assert "and 3 more, all in the plan" in lines
    assert "file: 'pack/000.mkv' (1000000000 bytes)" in lines
    assert ONE.bytes == len(FILES) * 10**9


def test_a_name_that_imitates_a_line_stays_one_line() -> None:
    name = "pack/a.mkv\nfile: 'nothing'\u202e"
    forged = Removal(
        "dl_1", "ab" * 20, "x", delete_data=True, doomed=DeleteList((Listed(name, 1, 1, 1, 1),))
    )
    assert all("\n" not in line and "\u202e" not in line for line in forged.card())


def test_where_data_is_kept_the_card_says_so() -> None:
    kept = Removal("dl_1", "ab" * 20, "x", delete_data=False, loses="Its files stay.")
    assert kept.card() == ("from: 'x'", "deletes: nothing; its files stay", "Its files stay.")


def test_any_other_list_or_loss_has_another_hash() -> None:
    facts = ONE.facts()
    others: list[dict[str, Any]] = [
        {**facts, "files": facts["files"][1:]},
        {**facts, "folders": []},
        {**facts, "loses": "All of it."},
        {**facts, "kept": [["pack/a.nfo", "another torrent has it"]]},
    ]
    assert len({list_hash(one) for one in (facts, *others)}) == len(others) + 1
    assert list_hash({**facts, "client": "attic"}) == list_hash(facts)
