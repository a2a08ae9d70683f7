import pytest

from capabilities.rules.subtitle_tags import subtitle_tags


@pytest.mark.parametrize(
    ("stem", "video", "suffix"),
    [
        ("Sintel.en", "Sintel", ".en"),
        ("Sintel.eng.sdh.forced", "Sintel", ".en.forced.sdh"),
        ("Sintel.ENGLISH", "Sintel", ".en"),
        ("Sintel.pt-BR", "Sintel", ".pt-BR"),
        ("Sintel.pt_br.default", "Sintel", ".pt-BR.default"),
        ("Sintel.zh-cn.default", "Sintel", ".zh-Hans.default"),
        ("Sintel.zh-Hant", "Sintel", ".zh-Hant"),
        ("Sintel.CHT", "Sintel", ".zh-Hant"),
        ("Sintel.Cantonese", "Sintel", ".zh"),
        ("Sintel.Spanish Latin America", "Sintel", ".es-419"),
        ("Sintel.Latin American es", "Sintel", ".es-419"),
        ("Sintel.Bokmal", "Sintel", ".no"),
        ("Sintel.chs&eng", "Sintel", ".zh-Hans"),
        ("Sintel.es-419", "Sintel", ".es-419"),
        ("Sintel.sc", "Sintel", ".zh-Hans"),
        ("Sintel.JPTC", "Sintel", ".zh-Hant"),
        ("Sintel.简英", "Sintel", ".zh-Hans"),
        ("Sintel.繁日", "Sintel", ".zh-Hant"),
        ("Sintel.zh-Hans-CN", "Sintel", ".zh-Hans"),
        ("Sintel.zh-cn&en", "Sintel", ".zh-Hans"),
        ("Sintel.cht&eng.default", "Sintel", ".zh-Hant.default"),
        ("Sintel.English Forced", "Sintel", ".en.forced"),
        ("Sintel.en-sdh", "Sintel", ".en.sdh"),
        ("2_English (SDH)", "", ".en.sdh"),
        ("Sintel.xx-yy", "Sintel", ""),
        ("Sintel.hi", "Sintel", ".hi"),
        ("Sintel.en.hi", "Sintel", ".en.sdh"),
        ("Sintel.en.cc", "Sintel", ".en.sdh"),
        ("Sintel", "Sintel", ""),
        ("Sintel.default", "Sintel", ".default"),
        ("2_English", "", ".en"),
        ("2_Brazilian", "", ".pt-BR"),
        ("It", "It", ""),
        ("It.2017.de", "Something Else", ".de"),
        ("Name (2020) - [AAC 2.0].testtitle.default.fra.forced", "", ".fr.default.forced"),
        ("Name (2020) - [AAC 2.0].ru-something-else", "", ".ru"),
        ("Name (2020) - [AAC 2.0].mytitle", "", ""),
        ("Name (2020) - [AAC 2.0].forced.eng.testtitle", "", ".en.forced"),
    ],
)
def test_language_and_flags_are_read_in_any_order(stem: str, video: str, suffix: str) -> None:
    assert subtitle_tags(stem, video).suffix == suffix
