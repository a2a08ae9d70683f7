"""The manifest and the tests name each other, in both directions."""

from collections import Counter

from tests.promises.manifest import PROMISES
from tests.promises.marked import Marked, marked


def named() -> set[Marked]:
    return {
        Marked(test, promise.id, control)
        for promise in PROMISES
        for tests, control in ((promise.tests, False), (promise.controls, True))
        for test in tests
    }


def test_every_test_that_is_named_bears_the_mark_of_its_promise() -> None:
    assert named() - set(marked()) == set()


def test_every_test_that_bears_a_mark_is_named() -> None:
    assert set(marked()) - named() == set()


def test_every_promise_is_named_once_and_has_tests_and_a_control() -> None:
    assert [id_ for id_, n in Counter(each.id for each in PROMISES).items() if n > 1] == []
    assert [each.id for each in PROMISES if not each.tests] == []
    assert [each.id for each in PROMISES if not each.controls] == []


def test_every_promise_says_what_it_is_and_where_it_ends() -> None:
    for promise in PROMISES:
        for words in (promise.sentence, promise.limits):
            assert words.endswith("."), promise.id
        assert promise.source, promise.id
        assert promise.counts, promise.id
