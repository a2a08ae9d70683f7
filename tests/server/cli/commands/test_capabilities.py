import json

import pytest

from server.cli.exits import Exit
from tests.server.cli.rig import Rig


def test_all_that_may_be_called_is_listed(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed("capabilities") == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split() == ["shelf.look", "read", "shelf", "look"] for line in lines)
    assert not any("shelf.hidden" in line for line in lines)


def test_one_is_shown_with_its_input_and_an_example(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed("capabilities", "shelf.look") == Exit.DONE
    page = capsys.readouterr().out
    assert "title (string, required): Words." in page
    assert "count (integer): How many." in page
    assert f"  matinee --home {rig.home.root} call shelf.look '{{" in page


def test_the_document_is_what_the_server_says(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed("capabilities", "shelf.look", "--json") == Exit.DONE
    document = json.loads(capsys.readouterr().out)
    assert document["input_schema"]["required"] == ["title"]


def test_an_unknown_one_is_not_found(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed("capabilities", "shelf.lok") == Exit.FAILED
    told = capsys.readouterr()
    assert told.out == ""
    assert "shelf.lok" in told.err
