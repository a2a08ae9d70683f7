import pytest

from capabilities.rules.organize_policy import LibraryRoot, OrganizePolicy
from capabilities.rules.works import WorkKind


@pytest.mark.parametrize(
    "roots",
    [
        (LibraryRoot(WorkKind.FILM, "films"),),
        (LibraryRoot(WorkKind.FILM, "a"), LibraryRoot(WorkKind.FILM, "b")),
        (LibraryRoot(WorkKind.FILM, "../films"), LibraryRoot(WorkKind.SERIES, "series")),
        (LibraryRoot(WorkKind.FILM, ""), LibraryRoot(WorkKind.SERIES, "series")),
        (LibraryRoot(WorkKind.FILM, "/a//b"), LibraryRoot(WorkKind.SERIES, "series")),
    ],
)
def test_library_roots_are_one_clean_path_per_kind(roots: tuple[LibraryRoot, ...]) -> None:
    with pytest.raises(ValueError, match="root"):
        OrganizePolicy(roots=roots)


def test_a_media_server_is_given_time_to_see_a_file() -> None:
    assert OrganizePolicy().seen_within_minutes == 60
    assert OrganizePolicy(seen_within_minutes=1).seen_within_minutes == 1
    with pytest.raises(ValueError, match="seen_within_minutes"):
        OrganizePolicy(seen_within_minutes=0)


def test_replaced_files_are_kept_a_month_and_never_for_less_than_no_time() -> None:
    assert OrganizePolicy().recycle_days == 30
    with pytest.raises(ValueError, match="recycle_days: it must not be negative"):
        OrganizePolicy(recycle_days=-1)
