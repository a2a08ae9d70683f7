import io
import json

import pytest

from server.cli.json_text import json_text


def test_characters_of_every_script_stand_as_they_are() -> None:
    assert json_text({"name": "卧虎藏龙 é"}) == '{"name": "卧虎藏龙 é"}'


def test_nothing_in_it_steers_a_terminal_or_hides() -> None:
    held = {"a": "x\x1b\x7f\x9b\u202e\u200b\u00ad\ud800\U000e0041\ny"}
    text = json_text(held)
    assert text.isprintable()
    assert json.loads(text) == held
    assert all(line.isprintable() for line in json_text(held, indent=2).splitlines())


def test_a_terminal_that_cannot_write_it_gets_it_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))
    assert json_text({"name": "é"}) == '{"name": "é"}'
    assert json_text({"name": "卧"}).isascii()
