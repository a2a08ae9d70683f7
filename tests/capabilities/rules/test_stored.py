import json
from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from capabilities.rules.found import Found
from capabilities.rules.stored import found_from, found_json, work_from, work_json
from capabilities.rules.works import (
    Episode,
    Season,
    Title,
    TitleKind,
    Work,
    WorkKey,
    WorkKind,
)

MOMENT = datetime(2025, 6, 1, 12, 30, 1, tzinfo=UTC)

founds = st.builds(
    Found,
    title=st.text(max_size=40),
    indexer=st.text(max_size=10),
    guid=st.text(max_size=20),
    link=st.none() | st.just("http://127.0.0.1/t/1"),
    magnet=st.none() | st.just("magnet:?xt=urn:btih:" + "a" * 40),
    info_hash=st.none() | st.just("b" * 40),
    size=st.none() | st.integers(0, 10**13),
    seeders=st.none() | st.integers(0, 10**6),
    peers=st.none() | st.integers(0, 10**6),
    published=st.none() | st.datetimes(timezones=st.just(UTC)),
    categories=st.lists(st.integers(0, 9999), max_size=3).map(tuple),
    download_factor=st.none() | st.sampled_from([0.0, 0.5, 1.0]),
    upload_factor=st.none() | st.sampled_from([1.0, 2.0]),
    flags=st.lists(st.text(max_size=8), max_size=3).map(tuple),
    doubts=st.lists(st.text(max_size=8), max_size=3).map(tuple),
    external_ids=st.dictionaries(st.sampled_from(["tmdb", "imdb"]), st.text(max_size=8)),
)


@given(founds)
def test_an_offer_comes_back_from_json_as_it_was(found: Found) -> None:
    assert found_from(json.loads(json.dumps(found_json(found)))) == found


def test_a_work_comes_back_from_json_as_it_was() -> None:
    work = Work(
        key=WorkKey("tmdb", WorkKind.SERIES, "900001"),
        title="Lantern Street",
        year=2019,
        titles=(
            Title("Lantern Street", TitleKind.MAIN, "en-US"),
            Title("灯笼街", TitleKind.TRANSLATION, "zh"),
            Title("Lanterns", TitleKind.ALTERNATIVE),
        ),
        seasons=(
            Season(0),
            Season(1, 2019, 1, (Episode(1, "One", date(2019, 2, 4), 24), Episode(2))),
        ),
        external_ids={"imdb": "tt99000001"},
        runtime_minutes=24,
        overview="A street.",
    )
    assert work_from(json.loads(json.dumps(work_json(work)))) == work


def test_moments_keep_their_zone() -> None:
    found = Found("Sintel", "loopback", "1", published=MOMENT)
    again = found_from(json.loads(json.dumps(found_json(found))))
    assert again == found
    assert again.published is not None
    assert again.published.utcoffset() == MOMENT.utcoffset()
