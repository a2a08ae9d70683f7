import pytest

from capabilities.rules.names.parsing import parse


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("流浪地球.The.Wandering.Earth.2019.2160p", ("流浪地球", "The Wandering Earth")),
        ("【组】★04月新番★[夏日重現/Summer Time][15][720p]", ("夏日重現", "Summer Time")),
        ("[组][中文名][Latin Name][15][1080p]", ("中文名", "Latin Name")),
        ("[组] 中文名 第二季 / Latin Name S2 - 10 [1080p]", ("中文名", "Latin Name")),
        ("Some Title AKA Another Title 1999 720p", ("Some Title", "Another Title")),
        ("[组] 16bit 的感动 ANOTHER - 01 [1080P]", ("16bit 的感动 ANOTHER",)),
    ],
)
def test_titles_in_two_scripts_are_two_titles(text: str, titles: tuple[str, ...]) -> None:
    name = parse(text)
    assert name.titles == titles
    assert name.title == titles[0]
