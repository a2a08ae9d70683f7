from collections.abc import AsyncGenerator
from datetime import UTC, datetime

import anyio
import pytest

from agent.models.port import CredentialRefusedError, ModelRequest, UserMessage
from agent.upstreams import Chosen
from ledger.stores.runs import Phase, Run, RunState
from server.settings import UpstreamSettings
from server.upstreams import Upstreams
from world.model import ScriptedModel, scripted_model
from world.scripts import say

AT = datetime(2026, 5, 1, tzinfo=UTC)


def a_run(**options: object) -> Run:
    return Run(
        id="run_1",
        goal="Get Sintel",
        actor="owner:ada",
        principal="owner:ada",
        trigger="user",
        state=RunState.RUNNING,
        phase=Phase.DRIVE,
        options=dict(options),
        plan=None,
        usage={},
        report=None,
        reason=None,
        abort_asked=False,
        created_at=AT,
        started_at=AT,
        ended_at=None,
    )


def settings(model: ScriptedModel, name: str) -> UpstreamSettings:
    return UpstreamSettings.model_validate(
        {"name": name, "address": model.base_url, "key": model.key, "model": model.name}
    )


@pytest.fixture
async def model() -> AsyncGenerator[ScriptedModel]:
    async with scripted_model(say("Hello.")) as speaking:
        yield speaking


async def chosen(upstreams: Upstreams, **options: object) -> Chosen:
    found = await upstreams.choose(a_run(**options))
    assert found is not None
    return found


@pytest.mark.anyio
async def test_the_first_is_the_default_and_a_run_may_name_another(model: ScriptedModel) -> None:
    upstreams = Upstreams((settings(model, "one"), settings(model, "two")))
    assert (await chosen(upstreams)).name == "one"
    assert (await chosen(upstreams, upstream="two")).name == "two"
    assert await upstreams.choose(a_run(upstream="three")) is None
    await upstreams.aclose()


@pytest.mark.anyio
async def test_without_any_there_is_none() -> None:
    upstreams = Upstreams(())
    assert await upstreams.choose(a_run()) is None
    await upstreams.aclose()


@pytest.mark.anyio
async def test_each_is_built_once_and_speaks_with_its_key(model: ScriptedModel) -> None:
    upstreams = Upstreams((settings(model, "one"),))
    found: list[Chosen] = []

    async def choose() -> None:
        found.append(await chosen(upstreams))

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(choose)
    assert len({id(each.upstream) for each in found}) == 1
    request = ModelRequest(found[0].model, (UserMessage("hello"),))
    assert [event async for event in found[0].upstream.stream(request)]
    assert model.requests[0].headers["authorization"] == f"Bearer {model.key}"
    await upstreams.aclose()


@pytest.mark.anyio
async def test_a_model_whose_sealed_key_does_not_open_says_so_and_is_not_asked(
    model: ScriptedModel,
) -> None:
    named = {"one", "two"}
    lacking, given = (settings(model, name) for name in sorted(named))
    lacking = lacking.model_copy(update={"key": None})
    upstreams = Upstreams((lacking, given), shut={f"upstreams.{name}.key" for name in named})
    request = ModelRequest(model.name, (UserMessage("Hello?"),))
    found = await chosen(upstreams)
    with pytest.raises(CredentialRefusedError, match=r"sealed.*`matinee doctor`"):
        async for _ in found.upstream.stream(request):
            pass
    assert not model.requests
    two = await chosen(upstreams, upstream="two")
    assert [event async for event in two.upstream.stream(request)]
    await upstreams.aclose()
