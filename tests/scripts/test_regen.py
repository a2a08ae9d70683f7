import difflib
import json
from pathlib import Path

import pytest

from scripts.capability_pages import PAGE, SNAPSHOTS
from scripts.regen import GENERATORS, ROOT, main, regenerate, stale


def difference(name: str, wanted: str | None) -> str:
    path = ROOT / name
    there = path.read_text("utf-8") if path.exists() else ""
    lines = difflib.unified_diff(
        there.splitlines(), (wanted or "").splitlines(), f"{name} (in the tree)", "as it should be"
    )
    return "\n".join(lines)


def test_every_generated_file_is_as_the_code_says() -> None:
    told = [difference(name, wanted) for name, wanted in stale().items()]
    if told:
        pytest.fail("run `make regen`, and look at what changes:\n" + "\n\n".join(told))


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def test_only_what_is_generated_is_written_and_a_second_time_nothing(tmp_path: Path) -> None:
    beside = {"docs/reference/benchmarks.md": b"measured", "tests/snapshots/else/a.txt": b"else"}
    for name, text in beside.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    written = regenerate(tmp_path)
    assert {PAGE, f"{SNAPSHOTS}/catalog.lookup.json"} <= set(written)
    after = contents(tmp_path)
    assert set(after) == {*written, *beside}
    assert {name: after[name] for name in beside} == beside
    assert regenerate(tmp_path) == []
    assert contents(tmp_path) == after


def test_what_is_stale_is_put_right_and_what_is_left_over_is_removed(tmp_path: Path) -> None:
    regenerate(tmp_path)
    right = contents(tmp_path)
    (tmp_path / PAGE).write_text("old")
    (tmp_path / SNAPSHOTS / "catalog.lookup.json").unlink()
    (tmp_path / SNAPSHOTS / "gone.away.json").write_text("{}")
    assert stale(tmp_path)[f"{SNAPSHOTS}/gone.away.json"] is None
    assert regenerate(tmp_path) == sorted(
        [PAGE, f"{SNAPSHOTS}/catalog.lookup.json", f"{SNAPSHOTS}/gone.away.json"]
    )
    assert contents(tmp_path) == right


def test_each_generator_makes_only_files_that_are_its_own() -> None:
    for generator in GENERATORS:
        assert all(Path(name).match(generator.owns) for name in generator.make())


def test_the_reference_has_a_section_for_each_capability_with_all_its_arguments() -> None:
    text = (ROOT / PAGE).read_text("utf-8")
    for path in (ROOT / SNAPSHOTS).iterdir():
        section = next(part for part in text.split("\n## ") if f"`{path.stem}`" in part)
        published = json.loads(path.read_text("utf-8"))
        assert section.startswith(published["title"])
        assert published["description"] in section
        assert all(f"| `{name}` |" in section for name in published["inputSchema"]["properties"])
        assert "```json" in section


def test_run_as_a_command_it_names_what_it_wrote(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scripts.regen.regenerate", lambda: [PAGE])
    assert main() == 0
    assert capsys.readouterr().out == f"{PAGE}\n"
