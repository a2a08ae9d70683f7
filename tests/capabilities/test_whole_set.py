"""What holds for every capability, checked over all of them."""

import json
import re
import statistics
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest
import svcs

from agent.prompt.general import GENERAL
from agent.prompt.skills import shipped
from capabilities.kernel.actors import agent, owner
from capabilities.kernel.arguments import typed
from capabilities.kernel.discovery import discovered
from capabilities.kernel.registry import Registry
from capabilities.kernel.schema_lint import lint
from capabilities.kernel.schemas import published
from capabilities.kernel.spec import Audience, Effect, Kind, Spec
from ledger.ledger import Ledger
from scripts.capability_pages import SNAPSHOTS, tool
from scripts.regen import ROOT
from server.protocol.catalogue import Catalogue

SPECS = discovered()
MEDIAN_BYTES = 1_000
MOST_BYTES = 4_000
MOST_BYTES_IN_ALL = 40_000
LONGEST_DESCRIPTION = 600

LEAKS = re.compile(
    r"://|^[/~]|[A-Za-z]:\\|@|\b\d{1,3}(\.\d{1,3}){3}\b|\b[0-9a-fA-F]{32,}\b|localhost|secret|passw",
)

every = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)


def size(spec: Spec) -> int:
    return len(json.dumps(tool(spec), ensure_ascii=False, separators=(",", ":")).encode())


def words_in(held: object) -> Iterator[str]:
    if isinstance(held, str):
        yield held
    elif isinstance(held, Mapping):
        for each in cast("Mapping[str, object]", held).values():
            yield from words_in(each)
    elif isinstance(held, list):
        for each in cast("list[object]", held):
            yield from words_in(each)


def test_there_are_capabilities_and_each_name_is_one_tools() -> None:
    assert len(SPECS) >= 20
    assert len({spec.tool for spec in SPECS}) == len(SPECS)


@every
def test_an_id_is_the_path_of_its_module(spec: Spec) -> None:
    assert spec.handler.__module__.rstrip("_") == f"capabilities.{spec.id}"


@every
def test_a_tool_name_is_one_that_every_client_takes(spec: Spec) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,39}", spec.tool)


@every
def test_it_has_a_test_and_a_snapshot_of_its_own(spec: Spec) -> None:
    domain, verb = spec.id.split(".")
    folder = ROOT / "tests" / "capabilities" / domain
    assert any((folder / f"test_{name}.py").exists() for name in (verb, f"{verb}_"))
    assert (ROOT / SNAPSHOTS / f"{spec.id}.json").exists()


@every
def test_it_says_when_to_use_it_and_when_not_in_full_sentences(spec: Spec) -> None:
    for sentence in (spec.use_when, spec.not_when):
        assert sentence[0].isupper() or sentence[0] == "`"
        assert sentence.endswith(".")
    assert len(spec.description) <= LONGEST_DESCRIPTION
    assert spec.title
    assert not spec.title.endswith(".")


@every
def test_it_has_what_its_kind_and_effect_demand(spec: Spec) -> None:
    if spec.kind is Kind.EXECUTE:
        assert spec.target is not None
    if spec.effect is Effect.WORLD:
        assert spec.kind is Kind.EXECUTE
        assert spec.probe is not None
        assert spec.adopt is not None


@every
def test_its_scope_follows_from_its_kind(spec: Spec) -> None:
    expected = {
        Kind.READ: {"read"},
        Kind.PREVIEW: {"plan"},
        Kind.PROPOSE: {"plan"},
        Kind.EXECUTE: {spec.id},
        Kind.CONTROL: {"run", "run.ask"},
    }
    assert spec.scope in expected[spec.kind]


@every
def test_its_published_schema_is_clean(spec: Spec) -> None:
    assert lint(published(spec.given)) == []


@every
def test_its_hints_agree_with_what_it_does(spec: Spec) -> None:
    assert spec.hints.read_only == (spec.effect is Effect.NONE)
    if spec.kind is Kind.READ:
        assert spec.hints.read_only
    if spec.hints.read_only:
        assert not spec.hints.destructive
        assert spec.hints.idempotent


@every
def test_its_example_is_valid_and_gives_nothing_away(spec: Spec) -> None:
    assert isinstance(typed(spec, spec.example), spec.given)
    leaks = [word for word in words_in(dict(spec.example)) if LEAKS.search(word)]
    assert leaks == []


@every
def test_its_tool_is_small(spec: Spec) -> None:
    assert size(spec) <= MOST_BYTES


def test_the_whole_list_is_small() -> None:
    sizes = [size(spec) for spec in SPECS]
    assert statistics.median(sizes) <= MEDIAN_BYTES
    assert sum(sizes) <= MOST_BYTES_IN_ALL


def test_every_capability_is_in_a_skill_or_of_use_to_all() -> None:
    named = GENERAL.union(*(skill.capabilities for skill in shipped().skills))
    ids = {spec.id for spec in SPECS}
    assert ids - named == set()
    assert named - ids == set()


def test_every_snapshot_is_of_a_capability_that_exists() -> None:
    there = {path.stem for path in (ROOT / SNAPSHOTS).iterdir()}
    assert there == {spec.id for spec in SPECS}


@pytest.mark.anyio
async def test_what_mcp_publishes_is_what_the_snapshots_hold(ledger: Ledger) -> None:
    registry = Registry(SPECS, ledger, svcs.Container(svcs.Registry()))
    public = [spec for spec in SPECS if spec.audience is Audience.PUBLIC]
    listed = Catalogue(registry, page=len(SPECS)).page(owner("ann"), None).tools
    shown = [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in listed]
    assert shown == [_snapshot(spec) for spec in public]


@pytest.mark.anyio
async def test_nobody_without_scopes_is_shown_anything(ledger: Ledger) -> None:
    registry = Registry(SPECS, ledger, svcs.Container(svcs.Registry()))
    assert registry.shown_to(agent("run_1", "key:phone", frozenset())) == []


def _snapshot(spec: Spec) -> object:
    return json.loads(Path(ROOT / SNAPSHOTS / f"{spec.id}.json").read_text("utf-8"))
