import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.vocabulary import Resolution
from capabilities.rules.real_quality import better, real_copy, real_resolution
from capabilities.rules.works import Work, WorkKey, WorkKind

FILM = Work(WorkKey("tmdb", WorkKind.FILM, "1"), "Quiet Harbour", 2014)
POLICY = AcquisitionPolicy()


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((3840, 1600), Resolution.P2160),
        ((1920, 800), Resolution.P1080),
        ((1440, 1080), Resolution.P1080),
        ((1280, 544), Resolution.P720),
        ((720, 576), Resolution.P576),
        ((640, 352), Resolution.P480),
        ((0, 0), None),
    ],
)
def test_a_picture_counts_by_its_width_or_its_height(
    size: tuple[int, int], expected: Resolution | None
) -> None:
    assert real_resolution(*size) is expected


def test_a_name_that_says_more_than_the_picture_has_does_not_help_it() -> None:
    name = parse("Quiet.Harbour.2014.2160p.WEB-DL.x265-GRP.mkv")
    said, is_ = (real_copy(name, None, each, POLICY, FILM) for each in (None, (1280, 720)))
    assert (said.quality, is_.quality) == ("WEBDL-2160p", "WEBDL-720p")
    assert said.copy.place != is_.copy.place
    verdict = better(is_, said, POLICY)
    assert verdict.sentence.startswith("this is WEBDL-2160p, score 0, and there is WEBDL-720p")
