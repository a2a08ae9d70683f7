from pathlib import Path

import pytest

from server.cli.demo.showing import Screen
from server.cli.printing import Speech


def test_steps_are_words_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    Screen(Speech(no_colour=True)).step("the film is [found]")

    out, err = capsys.readouterr()
    assert out == ""
    assert "the film is [found]" in err


def test_nothing_is_said_beside_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(Speech(json=True))
    screen.heading("The download")
    with screen.progress() as bar:
        bar.show("Sintel", 1, 2)

    assert capsys.readouterr() == ("", "")


def test_a_folder_is_shown_with_everything_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "films" / "Sintel (2010)"
    folder.mkdir(parents=True)
    (folder / "Sintel.mkv").write_bytes(b"x" * 100_000)

    Screen(Speech(no_colour=True)).tree(tmp_path / "films")

    lines = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert lines == ["films/", "Sintel (2010)/", "Sintel.mkv  (0.1 MB)"]


def test_a_bar_moves_with_every_reading(capsys: pytest.CaptureFixture[str]) -> None:
    with Screen(Speech(no_colour=True)).progress() as bar:
        bar.show("Sintel", 10, 100)
        bar.show("Sintel", 100, 100)

    assert "Sintel" in capsys.readouterr().err
