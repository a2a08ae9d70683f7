import json
from collections.abc import Generator
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from capabilities.kernel.discovery import discovered
from ledger.stores import blocklist, policies
from ledger.stores.blocklist import NewBlock
from server.cli.exits import Exit
from server.cli.home import Home
from server.first_start import publish_defaults
from server.guard.tries import Door
from tests.server.api.house import PASSPHRASE, served
from tests.server.cli.plot import Plot
from tests.server.cli.rig import OWNER, Rig
from tests.server.cli.typist import typist

NAME = "Sintel.2010.1080p.BluRay.x264-OPEN"
Out = pytest.CaptureFixture[str]


@pytest.fixture
def ruled(tmp_path: Path) -> Generator[Rig]:
    """A home with an owner and the policies of a first start."""
    home = Home(tmp_path)
    home.prepare()
    home.api_socket.symlink_to(tmp_path / "socket")
    specs = [each for each in discovered() if each.id.startswith("policy.")]
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(served(tmp_path, specs=specs)) as house,
    ):
        rig = Rig(home, house, portal, Plot())
        portal.call(publish_defaults, house.ledger)
        code = rig.one_time_code()
        portal.call(house.guard.owner.create, code, OWNER, PASSPHRASE, Door.TERMINAL)
        yield rig


def version(rig: Rig) -> int:
    row = rig.read(lambda conn: policies.published(conn, "acquisition"))
    assert row is not None
    return row.version


def test_what_is_in_force_is_shown_field_by_field(ruled: Rig, capsys: Out) -> None:
    assert ruled.typed("policy", "show", "acquisition") == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "acquisition policy, version 1, published"
    assert ["least_seeders", "1"] in [line.split() for line in lines]
    tiers = lines[lines.index("tiers:") + 1 :]
    assert tiers[0].startswith("  Blu-ray 1080p: resolutions 1080p; sources bluray, hd-dvd; ")
    assert "…" not in "".join(lines)


def test_a_draft_tells_what_it_would_change_and_is_published_by_its_owner(
    ruled: Rig, capsys: Out
) -> None:
    patch = '{"least_seeders": 3}'
    assert ruled.typed("policy", "preview", "acquisition", "--patch", patch) == Exit.DONE
    told = capsys.readouterr()
    assert "  least_seeders: 1 → 3" in told.out.splitlines()
    assert "On the shelf 0 could be upgraded" in told.out
    assert " policy apply acquisition`" in told.err
    assert version(ruled) == 1
    home = str(ruled.home.root)
    with typist("policy", "apply", "acquisition", "--home", home) as person:
        person.sees("Draft 2 of the acquisition policy, by key:")
        person.sees("plan plan_")
        person.sees("least_seeders: 1 → 3")
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("Version 2 of the acquisition policy is in force.")
        assert person.leaves() == Exit.DONE
    assert version(ruled) == 2
    assert ruled.typed("policy", "history", "acquisition") == Exit.DONE
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert rows == [["v2", "published"], ["v1", "retired"]]


def test_the_owner_replaces_what_somebody_else_drafted(ruled: Rig, capsys: Out) -> None:
    first = ("policy", "preview", "acquisition", "--patch", '{"least_seeders": 3}')
    assert ruled.typed(*first) == Exit.DONE
    home = str(ruled.home.root)
    again = ("policy", "preview", "acquisition", "--patch", '{"least_seeders": 4}', "--replace")
    with typist(*again, "--home", home) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees("Draft 3 of the acquisition policy")
        assert person.leaves() == Exit.DONE
    capsys.readouterr()
    assert ruled.typed(*first) != Exit.DONE
    told = capsys.readouterr().err
    assert f"made by owner:{OWNER}" in told
    assert "type the same with --replace" in told


def test_a_draft_of_how_names_are_read_says_how_many_known_names_it_was_tried_on(
    ruled: Rig, capsys: Out
) -> None:
    patch = '{"words": ["block: Nothing"]}'
    assert ruled.typed("policy", "preview", "identity", "--patch", patch) == Exit.DONE
    assert capsys.readouterr().out.splitlines()[-1] == (
        "Of 0 known releases 0 would be identified otherwise, 0 only read otherwise."
    )


def test_every_problem_of_a_draft_is_told_with_its_cure(ruled: Rig, capsys: Out) -> None:
    patch = '{"least_seeders": -1, "least_score": 5}'
    assert ruled.typed("policy", "preview", "acquisition", "--patch", patch) == Exit.USAGE
    told = capsys.readouterr().err
    assert "least_seeders: it must not be negative; write 0 or more" in told
    assert "least_score: a score of 5 is required, the formats reach 0" in told


def test_a_field_or_a_value_that_there_is_not_is_told_in_plain_words(
    ruled: Rig, capsys: Out
) -> None:
    wrong = ("policy", "preview", "acquisition", "--patch", '{"least_seders": 3}')
    assert ruled.typed(*wrong) == Exit.USAGE
    told = capsys.readouterr().err
    assert "there is no such field; did you mean 'least_seeders'?" in told
    assert ruled.typed("policy", "preview", "identity", "--patch", '{"accepted": ["Q"]}') == 2
    told = capsys.readouterr().err
    assert "accepted, entry 1: it should be 'A'" in told
    assert "did you mean" not in told
    assert "Input should" not in told


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "Say what changes: --patch"),
        (("--patch", "{}", "--from-version", "1"), "Give only one of --patch"),
        (("--formats", "x"), "--app radarr"),
        (("--patch", "{}", "--app", "radarr"), "give them too"),
    ],
)
def test_what_does_not_say_what_changes_is_refused_in_the_words_of_the_options(
    ruled: Rig, capsys: Out, given: tuple[str, ...], said: str
) -> None:
    assert ruled.typed("policy", "preview", "acquisition", *given) == Exit.USAGE
    assert said in capsys.readouterr().err


def test_a_version_that_there_is_not_leads_to_the_command_that_lists_them(
    ruled: Rig, capsys: Out
) -> None:
    assert ruled.typed("policy", "preview", "acquisition", "--from-version", "99") == Exit.FAILED
    assert f"See {ruled.hint('policy history')}" in capsys.readouterr().err


def test_a_title_on_the_blocklist_is_rejected_by_name(ruled: Rig, capsys: Out) -> None:
    at, block = ruled.ledger.now(), NewBlock("a fake", title=NAME)
    id_ = ruled.write(lambda tx: blocklist.add(tx, block, at, by="owner:anna"))
    assert ruled.typed("policy", "test-format", NAME) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("rejected")
    assert "  blocklist: it is on the blocklist: a fake" in lines
    ruled.write(lambda tx: blocklist.remove(tx, id_, at, by="owner:anna"))


def test_formats_of_a_guide_are_tried_before_they_are_published(
    ruled: Rig, tmp_path: Path, capsys: Out
) -> None:
    guide = tmp_path / "formats.json"
    condition = {
        "name": "the group",
        "implementation": "ReleaseGroupSpecification",
        "required": True,
        "fields": {"value": "^(OPEN)$"},
    }
    both = [
        {"name": "Good", "trash_scores": {"default": 50}, "specifications": [condition]},
        {"name": "Odd", "specifications": [{"implementation": "OddSpecification"}]},
    ]
    guide.write_text(json.dumps(both))
    typed = ("policy", "preview", "acquisition", "--formats", str(guide), "--app", "radarr")
    assert ruled.typed(*typed) == Exit.DONE
    told = capsys.readouterr().out
    assert "  formats imported: 1, left out: 1" in told.splitlines()
    assert "left out: Odd: its condition" in told
    assert ruled.typed("policy", "test-format", NAME, "--version", "2") == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "accepted, tier Blu-ray 1080p, score 50"
    assert "✓ Good (+50)" in lines
    assert "    ✓ the group (group_pattern, required): hit 'OPEN'" in lines


def test_a_document_is_the_answer_itself(ruled: Rig, capsys: Out) -> None:
    assert ruled.typed("policy", "show", "automation", "--json") == Exit.DONE
    assert json.loads(capsys.readouterr().out)["body"]["acquire"] is False


def test_without_a_draft_there_is_nothing_to_publish(ruled: Rig, capsys: Out) -> None:
    assert ruled.typed("policy", "apply", "identity") == Exit.FAILED
    assert "no draft of the identity policy" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_a_wrong_usage(ruled: Rig) -> None:
    gone = ("policy", "preview", "acquisition", "--file", "/nowhere/policy.json")
    assert ruled.typed(*gone) == Exit.USAGE
