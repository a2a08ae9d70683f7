# names are written in all scripts

import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.satisfiable_languages import language_problems


@pytest.mark.parametrize("tag", ["zh", "zh-hans", "zh-hant", "yue", "en", "pt-br", "es-419"])
def test_a_tag_that_names_are_read_to_say_is_accepted(tag: str) -> None:
    assert not list(language_problems([tag], [tag]))


@pytest.mark.parametrize(
    ("word", "cure"),
    [
        ("Chinese", 'write "zh"'),
        ("chi", 'write "zh"'),
        ("Mandarin", 'write "zh"'),
        ("国语", 'write "zh"'),
        ("粤语", 'write "yue"'),
        ("EN", 'write "en"'),
        ("zh-Hans", 'write "zh-hans"'),
        ("简体", 'write "zh-hans"'),
        ("klingon", "write a BCP 47 tag such as en, zh, yue, ja"),
        ("mul", "write a BCP 47 tag such as en"),
    ],
)
def test_any_other_word_is_refused_with_the_tag_that_was_meant(word: str, cure: str) -> None:
    (required,) = language_problems([word], [])
    (refused,) = language_problems([], [word])
    assert (required.field, refused.field) == ("required_languages", "refused_languages")
    assert required.cure.startswith(cure)
    assert refused.cure == required.cure


def test_a_policy_with_a_language_that_nobody_knows_is_not_made() -> None:
    with pytest.raises(UnsatisfiableError, match='"Mandarin" is no tag'):
        AcquisitionPolicy(refused_languages=("Mandarin",))
