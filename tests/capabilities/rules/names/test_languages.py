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
    ],
)
def test_spoken_and_written_languages_are_kept_apart(
    text: str, spoken: tuple[str, ...], written: tuple[str, ...]
) -> None:
    name = parse(text)
    assert (name.languages, name.subtitle_languages) == (spoken, written)
