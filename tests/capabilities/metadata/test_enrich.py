import pytest

from capabilities.kernel.codes import Code
from tests.scene import Scene


@pytest.mark.anyio
async def test_without_a_web_search_it_is_refused_and_says_what_would_enable_it(
    scene: Scene,
) -> None:
    refused = await scene.refusal(Code.PRECONDITION, "metadata.enrich", work=await scene.work())
    assert "no web search is set up" in refused.sentence
    assert refused.needs["needs"] == "web.search"
    assert "Sintel (2010)" in refused.sentence
    assert await scene.claims("metadata.enrich") == []


@pytest.mark.anyio
async def test_a_work_that_does_not_exist_is_not_found(scene: Scene) -> None:
    await scene.failure(Code.NOT_FOUND, "metadata.enrich", work="work:99")
