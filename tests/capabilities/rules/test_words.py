# names are written in all scripts

import pytest

from capabilities.rules.words import contains, words_of


@pytest.mark.parametrize(
    ("name", "token", "says"),
    [
        ("Film.2020.1080p.WEB-DL", "web-dl", True),
        ("Film.2020.1080p.WEB-DL", "web", True),
        ("Film.2020.1080p.WEBRip", "web", False),
        ("The.Hateful.Eight", "hate", False),
        ("某片.2020.1080p.枪版中字-GRP", "枪版", True),
        ("某片.2020.国语中字.1080p", "国语", True),
        ("某片.2020.国语中字.1080p", "粤语", False),
        ("寻龙记.2020.1080p", "记", False),
        ("某片.2020.TC抢先版", "tc", True),
        ("영화.2020.한글자막", "자막", True),
        ("Film.2020", "--", False),
    ],
)
def test_a_token_is_said_as_whole_words_or_inside_a_run_of_eastern_signs(
    name: str, token: str, *, says: bool
) -> None:
    assert contains(words_of(name), token) is says
