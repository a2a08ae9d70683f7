import json
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import svcs
from anyio.from_thread import start_blocking_portal

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.discovery import discovered
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.policy_json import to_json
from capabilities.rules.recognition.lines import words_from
from ledger.stores import policies
from server.cli.entry import run
from server.cli.exits import Exit
from server.cli.home import Home
from server.first_start import publish_defaults
from tests.server.api.house import House, served
from tests.server.cli.rig import Rig
from world.metadata import serving_metadata

NAME = "Sintel.2010.1080p.BluRay.x264-OPEN"
Out = pytest.CaptureFixture[str]


@asynccontextmanager
async def _with_works(home: Path) -> AsyncGenerator[House]:
    async with serving_metadata() as metadata, Outbound(version="0") as outbound:
        held = svcs.Registry()
        tmdb = Tmdb(outbound, metadata.token, address=metadata.address)
        held.register_value(Catalogue, Catalogue([tmdb]))  # pyright: ignore[reportUnknownMemberType]  # it leaves ping open
        specs = [each for each in discovered() if each.id == "identity.explain"]
        async with served(home, specs=specs, held=held) as house:
            await publish_defaults(house.ledger)
            yield house


@pytest.fixture(scope="module")
def informed(tmp_path_factory: pytest.TempPathFactory) -> Generator[Home]:
    """A home whose server knows works and has the policies of a first start."""
    home = Home(tmp_path_factory.mktemp("informed"))
    home.prepare()
    home.api_socket.symlink_to(home.root / "socket")
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_with_works(home.root)),
    ):
        yield home


@asynccontextmanager
async def _without_works(home: Path) -> AsyncGenerator[House]:
    specs = [each for each in discovered() if each.id == "identity.explain"]
    async with served(home, specs=specs, held=svcs.Registry()) as house:
        await publish_defaults(house.ledger)
        policy = IdentityPolicy(words=words_from(["replace: Durian => Sintel"]))
        at = house.ledger.now()
        await house.ledger.write(lambda tx: policies.publish(tx, "identity", to_json(policy), at))
        yield house


@pytest.fixture
def house_away(tmp_path: Path) -> Generator[Home]:
    """A home whose server has words of its owner, and no metadata."""
    home = Home(tmp_path)
    home.prepare()
    home.api_socket.symlink_to(home.root / "socket")
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_without_works(home.root)),
    ):
        yield home


def typed(home: Path, *arguments: str) -> int:
    return run(["--home", str(home), "parse", *arguments])


def test_without_a_server_the_name_alone_is_read(tmp_path: Path, capsys: Out) -> None:
    assert typed(tmp_path / "nowhere", NAME) == Exit.DONE
    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert lines[0] == NAME
    assert lines[3].split() == ["1080p", "resolution", "1080p"]
    assert json.loads(lines[-1]) == {
        "name": NAME,
        "facts": {
            "title": "Sintel",
            "kind": "film",
            "year": 2010,
            "resolution": "1080p",
            "source": "bluray",
            "video_codec": "h264",
            "group": "OPEN",
        },
    }
    assert "no work was looked up" in told.err
    assert not (tmp_path / "nowhere").exists()


def test_a_path_is_read_with_its_folders_and_each_part_says_what_it_gave(
    tmp_path: Path, capsys: Out
) -> None:
    assert typed(tmp_path, "/films/Show (2019)/Season 01/Show.S01E02.mkv") == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "/films/Show (2019)/Season 01/Show.S01E02.mkv"
    assert "Show (2019): gives year" in lines
    assert "Season 01: gives nothing more" in lines
    assert "Show.S01E02.mkv: gives title, kind, seasons, episodes, container" in lines
    assert "Left aside: films" in lines
    facts = json.loads(lines[-1])["facts"]
    assert (facts["title"], facts["year"]) == ("Show", 2019)
    assert (facts["seasons"], facts["episodes"]) == ([1], [2])


def test_a_relative_path_is_one_too_and_words_are_tried_on_every_part(
    tmp_path: Path, capsys: Out
) -> None:
    asked = ("Show/Season 01/02 - Pilot.mkv", "--word", "replace: Show => Other", "--json")
    assert typed(tmp_path, *asked) == Exit.DONE
    document = json.loads(capsys.readouterr().out)
    assert document["read_as"] == "Other/Season 01/02 - Pilot.mkv"
    assert [(each["text"], each["gave"]) for each in document["path"]] == [
        ("Other", ["title"]),
        ("Season 01", ["seasons"]),
        ("02 - Pilot.mkv", ["kind", "episodes", "episode_title", "container"]),
    ]
    assert document["parts"] == document["path"][-1]["parts"]


def test_a_name_with_a_slash_in_it_is_no_path(tmp_path: Path, capsys: Out) -> None:
    assert typed(tmp_path, "Огни / Harbour Lights S02E05", "--json") == Exit.DONE
    assert json.loads(capsys.readouterr().out)["path"] is None


def test_a_server_reads_a_path_with_its_folders_too(informed: Home, capsys: Out) -> None:
    path = "/films/Sintel (2010)/movie.mkv"
    assert typed(informed.root, path, "--json") == Exit.DONE
    document = json.loads(capsys.readouterr().out)
    assert document["read_as"] == path
    assert document["identity"]["work"] == "tmdb:film:45745"
    assert document["identity"]["facts"] == document["facts"]
    assert document["facts"]["year"] == 2010


def test_a_hostile_path_is_told_harmlessly(tmp_path: Path, capsys: Out) -> None:
    assert typed(tmp_path, "/a\x1b[2J/Ev\u202eil (2010)/\x1b]0;x\x07.mkv") == Exit.DONE
    assert all(line.isprintable() for line in capsys.readouterr().out.splitlines())
    assert typed(tmp_path, "/" * 3_000) == Exit.DONE
    assert typed(tmp_path, "/a" * 3_000) == Exit.DONE


def test_why_names_the_pass_that_found_each_part(tmp_path: Path, capsys: Out) -> None:
    assert typed(tmp_path, NAME, "--why") == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].endswith("found by patterns")


def test_a_word_is_tried_before_it_is_saved(tmp_path: Path, capsys: Out) -> None:
    assert typed(tmp_path, NAME, "--word", "replace: Sintel => Durian") == Exit.DONE
    out = capsys.readouterr().out
    assert 'Word replace: Sintel => Durian: replaced "Sintel" by "Durian".' in out
    assert json.loads(out.splitlines()[-1])["facts"]["title"] == "Durian"


def test_a_tried_word_that_does_nothing_says_so(
    informed: Home, tmp_path: Path, capsys: Out
) -> None:
    for home in (tmp_path, informed.root):
        assert typed(home, NAME, "--word", "replace:  Durian  => X", "--word", "block: OPEN") == 0
        lines = capsys.readouterr().out.splitlines()
        assert "Word replace: Durian => X: hit nothing." in lines
        assert not any("block: OPEN: hit nothing" in line for line in lines)


def test_the_owners_words_count_while_the_metadata_is_away(house_away: Home, capsys: Out) -> None:
    assert typed(house_away.root, "Durian.2010.1080p.BluRay.x264-OPEN") == Exit.DONE
    told = capsys.readouterr()
    assert 'Word replace: Durian => Sintel: replaced "Durian" by "Sintel".' in told.out
    assert json.loads(told.out.splitlines()[-1])["facts"]["title"] == "Sintel"
    assert "No work was looked up. No metadata source is set up" in told.err
    assert "Identity" not in told.out


def test_an_empty_name_is_wrong_usage(tmp_path: Path, capsys: Out) -> None:
    assert typed(tmp_path, "") == Exit.USAGE
    assert "Give a name to read." in capsys.readouterr().err


def test_a_name_that_begins_with_a_dash_is_told_how_to_be_typed(
    tmp_path: Path, capsys: Out
) -> None:
    assert typed(tmp_path, "-x.2020.mkv") == Exit.USAGE
    assert "put -- in front of it" in capsys.readouterr().err
    assert typed(tmp_path, "--", "-x.2020.mkv") == Exit.DONE


def test_characters_of_other_scripts_are_shown_as_they_are(tmp_path: Path, capsys: Out) -> None:
    assert typed(tmp_path, "卧虎藏龙.2000.1080p") == Exit.DONE
    assert "卧虎藏龙" in capsys.readouterr().out.splitlines()[-1]


def test_a_wrong_word_is_wrong_usage(tmp_path: Path, capsys: Out) -> None:
    assert typed(tmp_path, NAME, "--word", "offset: A") == Exit.USAGE
    assert "line 1" in capsys.readouterr().err


def test_a_server_tells_the_works_and_the_policys_word(informed: Home, capsys: Out) -> None:
    assert typed(informed.root, NAME) == Exit.DONE
    told = capsys.readouterr()
    assert told.err == ""
    assert "Identity: grade B, taken without asking" in told.out
    assert "*  tmdb:film:45745" in told.out
    assert "tmdb:film:900002 - the name says 2010, the work is of 1994" in told.out
    assert "Policy: accepted" in told.out


def test_the_document_has_everything(informed: Home, capsys: Out) -> None:
    name = "[G] Some Name - 05 [1080p]"
    word = "force: Some Name => tmdb:series:900001"
    assert typed(informed.root, name, "--word", word, "--json") == Exit.DONE
    document = json.loads(capsys.readouterr().out)
    assert document["name"] == document["read_as"] == name
    assert document["words"][0]["word"] == word
    assert document["identity"]["numbers"]["episodes"] == ["S02E02 (5)"]
    assert document["facts"]["absolute_episodes"] == [5]
    assert {part["text"] for part in document["parts"]} >= {"Some Name", "05", "1080p"}


def test_a_server_that_cannot_tell_is_named_and_the_name_read(rig: Rig, capsys: Out) -> None:
    assert rig.typed("parse", NAME) == Exit.DONE
    told = capsys.readouterr()
    assert "Your saved words were not used, and no work was looked up: " in told.err
    assert json.loads(told.out.splitlines()[-1])["facts"]["title"] == "Sintel"


def test_a_hostile_name_is_read_bounded_and_told_harmlessly(tmp_path: Path, capsys: Out) -> None:
    name = "Evil\u202e\x1b]0;x\x07<b>.2010.1080p" + ".x" * 5_000
    assert typed(tmp_path, name) == Exit.DONE
    out = capsys.readouterr().out
    assert all(line.isprintable() for line in out.splitlines())
    assert f"Note: it has {len(name)} characters, of which the first 1000 are read." in out
    assert "taken out: U+202E" in out
    assert len(json.loads(out.splitlines()[-1])["name"]) == 1000
