"""P1 at the doors: a hostile torrent is refused when it is looked into, and when it is planned."""

import base64

import pytest

from capabilities.kernel.outcomes import Failed, Refused, Succeeded
from tests.hostile.ground import count
from tests.hostile.making import torrent
from tests.hostile.test_torrent_files import REFUSED, TAKEN, sentence_of
from tests.hostile.tree import changed, tree_of
from tests.hostile.vectors import Kind
from tests.promises.tally import Tally
from tests.scene import Scene, base, scene
from world.indexer_feed import Offer
from world.stage import GB, SINTEL

__all__ = ["base", "scene"]
BIG = 1_000_000
"""Characters; what is larger is refused for that before anybody reads it."""


@pytest.mark.anyio
@pytest.mark.promise("P1")
async def test_a_hostile_torrent_that_is_given_by_hand_is_refused_by_its_names(
    scene: Scene, tally: Tally
) -> None:
    before = tree_of(scene.base.folder)
    for vector in REFUSED:
        given = base64.b64encode(torrent(vector.info)).decode()
        outcome = await scene.call("release.inspect", torrent=given)
        assert isinstance(outcome, Failed | Refused), vector.id
        assert sentence_of(vector) in outcome.sentence, vector.id
    escapes = changed(before, tree_of(scene.base.folder), roots=("home",))
    count(tally, REFUSED, escapes)
    assert escapes == []


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [Kind.CONTROL, Kind.LATE, Kind.DIRECTION, Kind.LENGTH])
async def test_what_is_taken_is_shown_by_safe_names(scene: Scene, kind: Kind) -> None:
    for vector in [vector for vector in TAKEN if vector.kind is kind][:3]:
        given = base64.b64encode(torrent(vector.info)).decode()
        outcome = await scene.call("release.inspect", torrent=given)
        assert isinstance(outcome, Succeeded), outcome
        assert outcome.data.model_dump_json().isprintable()


@pytest.mark.anyio
@pytest.mark.promise("P1")
async def test_a_hostile_torrent_behind_an_offer_is_not_planned(scene: Scene, tally: Tally) -> None:
    tried = [next(v for v in REFUSED if v.kind is kind) for kind in Kind if kind in _REFUSED_KINDS]
    offers = {
        f"Sintel.2010.1080p.BluRay.x264-H{number}": Offer(
            f"Sintel.2010.1080p.BluRay.x264-H{number}",
            GB,
            torrent=torrent(vector.info),
            tmdb_id=SINTEL,
        )
        for number, vector in enumerate(tried)
    }
    before = tree_of(scene.base.folder)
    async with scene.offering(*offers.values()) as offered:
        found = await offered.candidates()
        for vector, title in zip(tried, offers, strict=True):
            release = found[title]["release"]
            await offered.answer("identity.resolve", release=release)
            outcome = await offered.call("download.plan", release=release)
            assert isinstance(outcome, Failed | Refused), vector.id
            assert sentence_of(vector) in outcome.sentence, outcome
    escapes = changed(before, tree_of(scene.base.folder), roots=("home",))
    count(tally, tried, escapes)
    assert escapes == []
    assert await scene.downloads() == []


_REFUSED_KINDS = {vector.kind for vector in REFUSED}
