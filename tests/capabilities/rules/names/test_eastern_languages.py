import pytest

from capabilities.rules.names.eastern_languages import tongues_at
from capabilities.rules.names.tokens import tokenise


def said(word: str) -> list[str]:
    span = tongues_at(tokenise(word), 0)
    return [] if span is None else [f"{fact.field} {fact.value}" for fact in span.facts]


@pytest.mark.parametrize(
    ("word", "facts"),
    [
        ("国粤双语", ["language zh", "language yue"]),
        ("日语", ["language ja"]),
        ("国语中字", ["language zh", "subtitle zh"]),
        ("中日双语", ["subtitle zh", "subtitle ja"]),
        ("简中", ["subtitle zh-hans"]),
        ("外挂简繁英字幕", ["subtitle zh-hans", "subtitle zh-hant", "subtitle en"]),
    ],
)
def test_each_sign_names_a_language(word: str, facts: list[str]) -> None:
    assert said(word) == facts


@pytest.mark.parametrize(
    "word", ["国", "英雄", "日出", "国英", "双语", "国语老师", "法国语", "English"]
)
def test_a_word_that_is_more_or_less_than_signs_says_nothing(word: str) -> None:
    assert said(word) == []
