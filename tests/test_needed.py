from pathlib import Path

import pytest

from tests import needed


def put_beside(folder: Path, monkeypatch: pytest.MonkeyPatch, *, ci: str) -> None:
    monkeypatch.setattr(needed, "BESIDE", folder)
    monkeypatch.setenv("CI", ci)


def test_what_lies_beside_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_beside(tmp_path, monkeypatch, ci="true")
    (tmp_path / "names").mkdir()
    assert needed.beside(tmp_path / "names") == tmp_path / "names"


def test_what_is_lacking_is_a_skip_that_names_it_and_a_failure_under_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = tmp_path / "api" / "description.json"
    put_beside(tmp_path, monkeypatch, ci="")
    with pytest.raises(pytest.skip.Exception, match=r"api/description\.json is not in"):
        needed.beside(lacking)
    put_beside(tmp_path, monkeypatch, ci="true")
    with pytest.raises(pytest.fail.Exception, match=r"api/description\.json is not in"):
        needed.beside(lacking)


def test_a_clone_that_nothing_lies_beside_skips_under_ci_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_beside(tmp_path / "shared", monkeypatch, ci="true")
    with pytest.raises(pytest.skip.Exception, match=r"shared/ is not beside the repository"):
        needed.beside(tmp_path / "shared" / "names")
