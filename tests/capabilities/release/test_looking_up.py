from collections.abc import Sequence
from typing import Any

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.release.asked import asked
from capabilities.release.choice import Scope
from capabilities.release.judging import Asking, named
from capabilities.release.looking_up import LookedUp, looked_up
from capabilities.release.standard import standard
from capabilities.rules.found import Found
from tests.capabilities.release.signal_hill import SHOW, ended, hill, on_offer
from tests.scene import KEY, Scene
from tests.stage_set import catalogue_of
from world.indexer_feed import Offer
from world.stage import GB, RELEASE, SINTEL

ABSOLUTE = "[OPEN] Signal Hill - 05 [1080p][WEB-DL]"


async def told(
    scene: Scene,
    key: str | None,
    titles: Sequence[str] = (),
    parts: Scene | None = None,
    **more: Any,
) -> LookedUp:
    """What is looked up for offers of these names; ``parts`` are another house's."""
    context = Context(KEY, scene.ledger, (parts or scene).parts, "request", "call")
    work = None if key is None else await scene.work(id_=key)
    words = "Signal Hill" if work is None else None
    wanted = await asked(work, Scope(), words, context)
    by = await standard(wanted.work_id, context)
    assert by is not None
    now = scene.ledger.now()
    offers = named([Found(title, "one", title) for title in titles], (), now)
    return await looked_up(Asking(by, now), offers, wanted, context, **more)


@pytest.mark.anyio
async def test_a_work_comes_with_its_episodes_and_the_works_of_its_title(scene: Scene) -> None:
    async with hill(scene, ended(3)) as house:
        found = await told(house, f"tmdb:series:{SHOW}")
    assert found.open == ()
    assert found.asking.by.work is not None
    assert [len(season.episodes) for season in found.asking.by.work.seasons] == [3]
    assert [work.title for work in found.asking.candidates] == ["Signal Hill"]
    assert not found.asking.unsearched


@pytest.mark.anyio
async def test_seasons_that_names_say_come_with_their_episodes(scene: Scene) -> None:
    async with hill(scene, ended(2, 2, 2, 2)) as house:
        titles = ["Signal.Hill.S01E01.1080p.WEB-DL-GRP", "Signal.Hill.S09E01.1080p.WEB-DL-GRP"]
        found = await told(house, f"tmdb:series:{SHOW}", titles)
    assert found.asking.by.work is not None
    episodes = [(one.number, len(one.episodes)) for one in found.asking.by.work.seasons]
    assert episodes == [(1, 2), (2, 0), (3, 2), (4, 2)]


@pytest.mark.anyio
async def test_an_offer_is_as_large_for_its_running_time_as_its_plan_says(scene: Scene) -> None:
    show = ended(2, 2, 2).model_copy(update={"episode_run_time": ()})
    large = on_offer(scene, "S01E01", 9, episode=1)
    async with hill(scene, show, large) as house:
        work = await house.work(id_=f"tmdb:series:{SHOW}")
        (shown,) = (await house.answer("release.search", work=work))["candidates"]
        await house.answer("identity.resolve", release=shown["release"])
        refused = await house.refusal(Code.PRECONDITION, "download.plan", release=shown["release"])
    (against,) = [each["sentence"] for each in shown["reasons"] if each["rule"] == "size"]
    assert against.startswith("375.0 MB/min is more than 200.0 MB/min")
    assert refused.sentence == f"The policy rejects this release: {against}."


@pytest.mark.anyio
async def test_for_words_no_source_is_asked(scene: Scene) -> None:
    found = await told(scene, None, parts=scene.having(without=[Catalogue]))
    assert (found.open, found.asking.candidates) == ((), ())


@pytest.mark.anyio
async def test_every_question_that_is_not_answered_is_told_with_what_it_leaves_open(
    scene: Scene,
) -> None:
    async with hill(scene, ended(3, 3)) as house:
        await house.work(id_=f"tmdb:series:{SHOW}")
        dumb = house.having(catalogue_of(scene.base, credential="wrong"))
        found = await told(house, f"tmdb:series:{SHOW}", [ABSOLUTE], dumb)
    assert [one.partition(":")[0] for one in found.open] == [
        "it is not known which episodes have aired",
        "it is not known where episodes stand that names count otherwise",
        "other works of its title are not known, so only numbers of the sources are certain",
    ]
    assert found.asking.unsearched
    assert [work.title for work in found.asking.candidates] == ["Signal Hill"]


@pytest.mark.anyio
async def test_a_source_that_takes_too_long_is_not_waited_for(scene: Scene) -> None:
    fresh = scene.having(catalogue_of(scene.base))
    await scene.work(id_=f"tmdb:film:{SINTEL}")
    found = await told(scene, f"tmdb:film:{SINTEL}", parts=fresh, seconds=0)
    assert [one.partition(": ")[2] for one in found.open] == ["the source did not answer in time"]


@pytest.mark.anyio
async def test_no_source_at_all_leaves_the_work_itself(scene: Scene) -> None:
    await scene.work(id_=f"tmdb:film:{SINTEL}")
    bare = scene.having(without=[Catalogue])
    found = await told(scene, f"tmdb:film:{SINTEL}", parts=bare)
    assert [work.title for work in found.asking.candidates] == ["Sintel"]
    assert "No metadata source is configured" in found.open[0]


@pytest.mark.anyio
@pytest.mark.parametrize(("id_", "takes", "uncertain"), [(SINTEL, 1, 0), (None, 0, 1)])
async def test_what_bears_an_id_is_taken_and_what_bears_only_a_title_is_a_question(
    scene: Scene, id_: int | None, takes: int, uncertain: int
) -> None:
    offer = Offer(RELEASE, GB // 3, torrent=scene.stage.seed.torrent_bytes, tmdb_id=id_)
    async with scene.offering(offer) as house:
        work = await house.work()
        dumb = house.having(catalogue_of(scene.base, credential="wrong"))
        choice = (await dumb.answer("release.search", work=work))["choice"]
    assert (choice["takes"], choice["uncertain"]) == (takes, uncertain)
