from pathlib import Path

from capabilities.adapters.shelf.below import below


def test_a_folder_lies_below_another_by_its_name(tmp_path: Path) -> None:
    assert below(tmp_path, tmp_path) == ()
    assert below(tmp_path / "a" / "b", tmp_path) == ("a", "b")
    assert below(tmp_path.parent, tmp_path) is None


def test_a_folder_lies_below_another_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk" / "films").mkdir(parents=True)
    (tmp_path / "way").symlink_to(tmp_path / "disk")
    assert below(tmp_path / "way" / "films", tmp_path / "disk") == ("films",)


def test_a_path_that_climbs_is_judged_by_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert below(tmp_path / "a" / ".." / "b", tmp_path / "a") is None
    assert below(tmp_path / "b" / ".." / "a" / "c", tmp_path / "a") == ("c",)
