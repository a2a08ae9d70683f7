import pytest

from capabilities.adapters.indexer.queries import FilmQuery, SeriesQuery, TextQuery
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Refused
from capabilities.release.asked import Asked, asked
from capabilities.release.choice import Scope
from tests.scene import KEY, Scene


async def meant(
    scene: Scene, work: str | None = None, words: str | None = None, scope: Scope | None = None
) -> Asked:
    context = Context(KEY, scene.ledger, scene.parts, "request", "call")
    return await asked(work, scope or Scope(), words, context)


@pytest.mark.anyio
async def test_a_film_is_asked_for_with_its_year_and_its_numbers(scene: Scene) -> None:
    told = await meant(scene, await scene.work())
    assert isinstance(told.query, FilmQuery)
    assert (told.query.title, told.query.year) == ("Sintel", 2010)
    assert told.query.external_ids["tmdb"] == "45745"
    assert told.work_id == await scene.work_id()


@pytest.mark.anyio
async def test_a_series_is_asked_for_in_its_scope(scene: Scene) -> None:
    work = await scene.work(id_="tmdb:series:900001")
    told = await meant(scene, work, scope=Scope(1, 2))
    assert isinstance(told.query, SeriesQuery)
    assert (told.query.season, told.query.episode) == (1, 2)


@pytest.mark.anyio
async def test_words_are_asked_for_as_they_can_be(scene: Scene) -> None:
    told = await meant(scene, words="  Sintel   1080p ")
    assert told.query == TextQuery("Sintel 1080p")
    assert told.work is None


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ((None, None, None), "either a work or a query"),
        (("work:1", "Sintel", None), "either a work or a query"),
        (("work:1", None, Scope(None, 2)), "An episode needs its season"),
        ((None, "*", None), "query: "),
    ],
)
async def test_a_question_that_is_none_says_what_it_lacks(
    scene: Scene, given: tuple[str | None, str | None, Scope | None], sentence: str
) -> None:
    with pytest.raises(HaltError, match=sentence) as halted:
        await meant(scene, *given)
    assert isinstance(halted.value.outcome, Refused)
    assert halted.value.outcome.code is Code.INVALID_INPUT


@pytest.mark.anyio
async def test_a_work_that_is_not_there_is_not_found(scene: Scene) -> None:
    with pytest.raises(HaltError) as halted:
        await meant(scene, "work_of_nobody")
    assert isinstance(halted.value.outcome, Failed)
    assert halted.value.outcome.code is Code.NOT_FOUND
