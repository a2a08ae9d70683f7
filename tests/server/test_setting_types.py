from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from server.setting_types import (
    Address,
    BytesPerSecond,
    DatabaseAddress,
    Folder,
    FolderNames,
    Host,
    Name,
    Secret,
    Section,
    path_map,
    refuse_twins,
)


def read(kind: Any, given: object) -> Any:
    return TypeAdapter[Any](kind).validate_python(given)


def said(kind: Any, given: object) -> str:
    with pytest.raises(ValidationError) as refused:
        read(kind, given)
    return refused.value.errors()[0]["msg"]


@pytest.mark.parametrize(
    ("kind", "given", "means"),
    [
        (Address, "https://a.example/api/", "https://a.example/api"),
        (Host, "Server.LAN", "server.lan"),
        (Host, "[::1]", "::1"),
        (Folder, "~/films", Path.home() / "films"),
        (BytesPerSecond, 0, 0),
    ],
)
def test_a_value_is_taken_in_its_plain_form(kind: Any, given: object, means: object) -> None:
    assert read(kind, given) == means


@pytest.mark.parametrize(
    ("kind", "given", "why"),
    [
        (Address, "ftp://a.example", "must be an http or https address"),
        (Address, "https://a.example/?key=x", "the key has a setting of its own"),
        (Host, "a.lan:80", "without scheme, port or wildcard"),
        (Folder, "films", "must be an absolute path"),
        (Secret, "sk-…", "must be the key itself"),
        (Secret, "", "at least 1 item"),
        (DatabaseAddress, "mysql://db/matinee", "must name a database"),
        (DatabaseAddress, "postgresql://db/", "must name a database"),
        (Name, "x" * 61, "at most 60 characters"),
        (BytesPerSecond, -1, "greater than or equal to 0"),
    ],
)
def test_what_is_no_such_value_is_refused_with_the_reason(
    kind: Any, given: object, why: str
) -> None:
    assert why in said(kind, given)


def test_a_link_to_a_folder_is_followed_once(tmp_path: Path) -> None:
    (tmp_path / "films").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "films")
    assert read(Folder, tmp_path / "link") == (tmp_path / "films").resolve()


def test_a_section_is_closed_and_never_repeats_what_it_was_given() -> None:
    class Sealed(Section):
        key: Secret

    with pytest.raises(ValidationError) as refused:
        Sealed.model_validate({"key": "canary…", "colour": "canary"})
    assert {one["type"] for one in refused.value.errors()} == {"value_error", "extra_forbidden"}
    assert "canary" not in str(refused.value)


def test_a_name_that_stands_there_twice_is_named() -> None:
    refuse_twins(["a", "b"])
    with pytest.raises(ValueError, match="the name 'a' is used twice"):
        refuse_twins(["b", "a", "a"])


def test_folders_have_one_name_each_on_the_other_side() -> None:
    names = read(FolderNames, {"/srv/films/": "D:\\films"})
    assert path_map(names).to_theirs("/srv/films/Sintel") == "D:\\films\\Sintel"
    assert "stands in two pairs" in said(FolderNames, {"/srv/a": "/media", "/srv/b": "/media/"})
    assert "must both be whole paths" in said(FolderNames, {"/srv/a": ""})
    assert "must be an absolute path" in said(FolderNames, {"films": "/media"})
