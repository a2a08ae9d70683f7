import pytest

from capabilities.rules.names.parsing import parse


@pytest.mark.parametrize(
    ("text", "spoken", "written"),
    [
        ("T.2020.FRENCH.1080p.BluRay", ("fr",), ()),
        ("T.2020.1080p.BluRay.German.DL", ("de",), ()),
        ("T.2020.MULTi.VFF.1080p", ("mul", "fr"), ()),
        ("T.2020.VOSTFR.1080p", (), ("fr",)),
        ("T 2020 1080p BluRay Ger Fre Eng Sub", (), ("de", "fr", "en")),
        ("T.2020.1080p [IT]", ("it",), ()),
        ("T.2020.1080p.pt-BR", ("pt-br",), ()),
        ("[组][标题][15][1080p][CHT]", (), ("zh-hant",)),
        ("The.Italian.Job.2003.1080p", (), ()),
        ("T.2020.国粤双语.1080p", ("zh", "yue"), ()),
        ("T.2020.国粤英三语.简体中文字幕.1080p", ("zh", "yue", "en"), ("zh-hans",)),
        ("T.2020.粤语中字.1080p", ("yue",), ("zh",)),
        ("T.2020.CANTONESE.1080p", ("yue",), ()),
        ("T.2020.国英多音轨.中英特效字幕.1080p", ("zh", "en"), ("zh", "en")),
        ("T.2020.简繁日内封字幕.1080p", (), ("zh-hans", "zh-hant", "ja")),
        ("[组][标题][15][1080p][繁日]", (), ("zh-hant", "ja")),
        ("[组][标题][15][1080p][CHT_JPN]", (), ("zh-hant", "ja")),
    ],
)
def test_spoken_and_written_languages_are_kept_apart(
    text: str, spoken: tuple[str, ...], written: tuple[str, ...]
) -> None:
    name = parse(text)
    assert (name.languages, name.subtitle_languages) == (spoken, written)


def test_a_rule_that_asks_for_chinese_takes_cantonese_too() -> None:
    assert parse("T.2020.CANTONESE.1080p").spoken == {"zh", "yue"}
    assert parse("T.2020.MANDARIN.1080p").spoken == {"zh"}
