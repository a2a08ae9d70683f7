import pytest

from capabilities.rules.names.facts import facts
from tests.capabilities.rules.names.named import anime, chinese, daily, films, paths, series, tags
from tests.capabilities.rules.names.named.rows import Named

KINDS = (films, series, daily, anime, chinese, paths, tags)
ROWS = [row for kind in KINDS for row in kind.NAMES]
SHORT = {
    "group": "release_group",
    "codec": "video_codec",
    "absolute": "absolute_episodes",
    "channels": "audio_channels",
    "subtitles": "subtitle_languages",
}


@pytest.mark.parametrize("row", ROWS, ids=[row.text for row in ROWS])
def test_a_name_says_what_its_kind_says(row: Named) -> None:
    told = facts(row.text, row.kind, row.hint)
    said = {field: told[SHORT.get(field, field)] for field in row.says}
    assert said == row.says
