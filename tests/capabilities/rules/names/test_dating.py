from datetime import date

import pytest

from capabilities.rules.names.parsing import parse


@pytest.mark.parametrize(
    ("text", "aired"),
    [
        ("The.Daily.Show.2024.05.01.720p.WEB", date(2024, 5, 1)),
        ("The Daily Show 20240501 720p", date(2024, 5, 1)),
        ("The.Daily.Show.13.03.2011.HDTV", date(2011, 3, 13)),
        ("The.Daily.Show.03.13.2011.HDTV", date(2011, 3, 13)),
        ("The Daily Show 1 May 2024 720p", date(2024, 5, 1)),
        ("The Daily Show 2024 May 1st 720p", date(2024, 5, 1)),
    ],
)
def test_a_calendar_date_is_an_air_date_and_no_year(text: str, aired: date) -> None:
    name = parse(text)
    assert (name.title, name.air_date, name.year) == ("The Daily Show", aired, None)


def test_day_and_month_are_not_guessed() -> None:
    name = parse("The.Daily.Show.03.04.2020.720p.WEB")
    assert (name.title, name.air_date, name.year) == ("The Daily Show", None, None)


def test_a_day_that_does_not_exist_is_no_date() -> None:
    assert parse("Show.2024.02.31.720p").air_date is None
