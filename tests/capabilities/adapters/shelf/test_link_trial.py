from pathlib import Path

from capabilities.adapters.shelf.link_trial import why_no_link
from capabilities.adapters.shelf.roots import Root
from tests.capabilities.adapters.shelf.scene import FILM, Scene


def test_folders_of_one_disk_can_be_linked_and_nothing_is_left(scene: Scene) -> None:
    assert why_no_link(scene.sources, scene.shelf) is None
    assert scene.on_shelf() == []
    assert [p for p in scene.sources.path.rglob("*") if p.is_file()] == [scene.sources.path / FILM]


def test_folders_of_two_disks_cannot_and_it_is_said_why(scene: Scene, roomy_disk: Path) -> None:
    with Root(roomy_disk, "the library") as other:
        why = why_no_link(scene.sources, other)
    assert why is not None
    assert "different file systems" in why
    assert list(roomy_disk.iterdir()) == []
    assert [p for p in scene.sources.path.rglob("*") if p.is_file()] == [scene.sources.path / FILM]


def test_a_folder_that_may_not_be_written_is_said(scene: Scene, read_only_disk: Path) -> None:
    with Root(read_only_disk, "the downloads") as sealed:
        why = why_no_link(sealed, scene.shelf)
    assert why is not None
    assert "reading only" in why
