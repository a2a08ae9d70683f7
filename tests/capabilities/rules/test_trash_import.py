import json
from typing import Any

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.arr_numbers import App
from capabilities.rules.format_matching import matches
from capabilities.rules.formats import Condition, ConditionKind, CustomFormat, Subject
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.tokens import words
from capabilities.rules.trash_import import import_formats


def specification(implementation: str, value: object, **more: Any) -> dict[str, Any]:
    return {
        "name": "one",
        "implementation": implementation,
        "fields": {"value": value},
        "negate": False,
        "required": True,
        **more,
    }


def exported(*specifications: dict[str, Any], **more: Any) -> str:
    return json.dumps({"name": "Some", "specifications": specifications, **more})


def one(text: str, app: App = App.RADARR) -> CustomFormat:
    imported = import_formats(text, app)
    assert imported.left_out == ()
    (custom,) = imported.formats
    return custom


def value_of(implementation: str, value: object, app: App) -> str:
    return one(exported(specification(implementation, value)), app).conditions[0].value


def has(custom: CustomFormat, text: str) -> bool:
    return matches(custom, Subject(parse(text), words(text)))


@pytest.mark.parametrize(
    ("implementation", "value", "radarr", "sonarr"),
    [
        ("SourceSpecification", 7, "web-dl|web|vod", "remux"),
        ("SourceSpecification", 6, "hdtv|tv|hdrip|ppv", "bluray|hd-dvd"),
        ("SourceSpecification", 5, "dvd", "dvd"),
        ("IndexerFlagSpecification", 32, "internal", "freeleech75"),
        ("IndexerFlagSpecification", 128, "scene", "nuked"),
        ("IndexerFlagSpecification", 1, "freeleech", "freeleech"),
        ("LanguageSpecification", 4, "de", "de"),
        ("LanguageSpecification", 26, "hi", "ar"),
        ("LanguageSpecification", -2, "original", "original"),
        ("ResolutionSpecification", 2160, "2160p", "2160p"),
        ("QualityModifierSpecification", 5, "remux", "remux"),
        ("ReleaseTypeSpecification", 3, "pack", "pack"),
    ],
)
def test_each_programs_numbers_are_its_own(
    implementation: str, value: int, radarr: str, sonarr: str
) -> None:
    assert value_of(implementation, value, App.RADARR) == radarr
    assert value_of(implementation, value, App.SONARR) == sonarr


def test_ranges_and_expressions_are_read() -> None:
    size = specification("SizeSpecification", None, fields={"min": 2, "max": 8.5})
    year = specification("YearSpecification", None, fields={"min": 1990, "max": 1999})
    title = specification("ReleaseTitleSpecification", r"\bHQ\b", negate=True, required=False)
    custom = one(exported(size, year, title, specification("EditionSpecification", "imax")))
    assert custom.conditions == (
        Condition(ConditionKind.SIZE, "2..8.5", required=True, name="one"),
        Condition(ConditionKind.YEAR, "1990..1999", required=True, name="one"),
        Condition(ConditionKind.PATTERN, r"\bHQ\b", negate=True, name="one"),
        Condition(ConditionKind.EDITION_PATTERN, "imax", required=True, name="one"),
    )
    assert AcquisitionPolicy(formats=(custom,)).formats == (custom,)


def test_fields_may_be_an_object_or_a_list() -> None:
    fields = [{"name": "value", "value": "^(GRP)$"}, {"name": "other", "value": 3}]
    custom = one(exported(specification("ReleaseGroupSpecification", None, fields=fields)))
    assert has(custom, "T.2020.1080p.WEB-DL.x264-GRP")
    assert not has(custom, "T.2020.1080p.WEB-DL.x264-GRPX")


def test_an_imported_format_means_what_it_meant() -> None:
    source = {"required": False}
    custom = one(
        exported(
            specification("ReleaseTitleSpecification", r"\b(dv|dovi)\b"),
            specification("SourceSpecification", 7, **source),
            specification("SourceSpecification", 8, **source),
            specification("QualityModifierSpecification", 5, negate=True),
        )
    )
    assert has(custom, "T.2020.2160p.WEB-DL.DV.x265")
    assert has(custom, "T.2020.2160p.WEBRip.DoVi.x265")
    assert not has(custom, "T.2020.2160p.BluRay.DV.x265")
    assert not has(custom, "T.2020.2160p.WEB-DL.x265")


def test_scores_come_from_the_set_that_is_asked_for() -> None:
    scores = {"trash_scores": {"default": "-10000", "french-multi": 5}}
    text = exported(specification("ReleaseTitleSpecification", "x"), **scores)
    assert import_formats(text, App.RADARR).formats[0].score == -10000
    assert import_formats(text, App.RADARR, "french-multi").formats[0].score == 5
    assert import_formats(text, App.RADARR, "german").formats[0].score == -10000
    unscored = import_formats(exported(specification("YearSpecification", None,
        fields={"min": 1, "max": 2})), App.RADARR)  # fmt: skip
    assert (unscored.unscored, unscored.formats[0].score) == (("Some",), 0)


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (specification("DownloadProtocolSpecification", 1), "DownloadProtocolSpecification"),
        (specification("SourceSpecification", 99), "counts 99"),
        (specification("SourceSpecification", None), "means nothing"),
        (specification("ReleaseTitleSpecification", "("), "no regular expression"),
        (specification("ReleaseTitleSpecification", "(a|aa)+$"), "too long"),
        (specification("ReleaseTitleSpecification", ""), "no expression"),
        (specification("SizeSpecification", None), "means nothing"),
        (
            specification("LanguageSpecification", None,
                          fields={"value": 1, "exceptLanguage": True}),
            "except language",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_imported_is_named_with_its_reason(
    document: dict[str, Any], why: str
) -> None:
    fine = json.loads(exported(specification("SourceSpecification", 9), name="Fine"))
    odd = {"name": "Odd", "specifications": [document]}
    imported = import_formats(json.dumps([odd, fine, {"name": "Empty"}]), App.RADARR)
    assert [custom.name for custom in imported.formats] == ["Fine"]
    assert [left.name for left in imported.left_out] == ["Odd", "Empty"]
    assert why in imported.left_out[0].why


@pytest.mark.parametrize("text", ["{", "3", "[]", "[3]", "[" * 10_000])
def test_what_is_no_format_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="the formats"):
        import_formats(text, App.SONARR)
