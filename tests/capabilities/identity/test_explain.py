import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.identity.explain import REASONS_SHOWN
from capabilities.kernel.codes import Code
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from ledger.stores import blocklist, policies
from ledger.stores.blocklist import NewBlock
from tests.scene import Scene
from tests.stage_set import catalogue_of

NAME = "Sintel.2010.1080p.BluRay.x264-OPEN"


@pytest.mark.anyio
async def test_a_name_is_explained_with_its_works_and_the_policys_word(scene: Scene) -> None:
    told = await scene.answer("identity.explain", name=NAME)
    assert (told["grade"], told["accepted"]) == ("B", True)
    assert told["work"] == "tmdb:film:45745"
    assert told["facts"]["title"] == "Sintel"
    assert told["facts"]["resolution"] == "1080p"
    assert told["policy_accepts"] is True
    assert any("1080p" in reason for reason in told["reasons"])
    assert {each["id"] for each in told["candidates"]} == {"tmdb:film:45745", "tmdb:film:900002"}
    assert (told["words"], told["remarks"]) == ([], [])


@pytest.mark.anyio
async def test_what_the_policy_rejects_says_by_what(scene: Scene) -> None:
    told = await scene.answer("identity.explain", name="Sintel.2010.HDCAM.x264-NOPE")
    assert told["policy_accepts"] is False
    assert any("HDCAM" in reason for reason in told["reasons"])


@pytest.mark.anyio
async def test_words_are_tried_behind_the_owners_and_nothing_is_kept(scene: Scene) -> None:
    await scene.publish(IdentityPolicy(words=words_from(["replace: Durian => Sintel"])))
    name = "Durian.Street.S03E01.1080p"
    told = await scene.answer(
        "identity.explain",
        name=name,
        words=["replace: Sintel => Lantern", "offset: S03E <> 1080p >> EP+1"],
    )
    assert [each["did"] for each in told["words"]] == [
        'replaced "Durian" by "Sintel"',
        'replaced "Sintel" by "Lantern"',
        "01 counts as 02",
    ]
    assert told["read_as"] == "Lantern.Street.S03E02.1080p"
    assert told["facts"]["episodes"] == [2]
    again = await scene.answer("identity.explain", name=name)
    assert again["read_as"] == "Sintel.Street.S03E01.1080p"
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_a_forced_work_is_shown_with_both_numbers(scene: Scene) -> None:
    told = await scene.answer(
        "identity.explain",
        name="[G] Some Name - 05 [1080p]",
        words=["force: Some Name => tmdb:series:900001"],
    )
    assert (told["grade"], told["work"]) == ("A", "tmdb:series:900001")
    assert told["numbers"]["episodes"] == ["S02E02 (5)"]


@pytest.mark.anyio
@pytest.mark.parametrize("line", ["offset: A", "force: A => 12", "replace: /(/ => b"])
async def test_a_wrong_word_is_refused_with_the_line(scene: Scene, line: str) -> None:
    refused = await scene.refusal(
        Code.INVALID_INPUT, "identity.explain", name=NAME, words=["block: fine", line]
    )
    assert refused.sentence.startswith("words: line 2: ")


@pytest.mark.anyio
async def test_a_hostile_name_is_bounded_cleaned_and_its_oddities_named(scene: Scene) -> None:
    name = "Sintel\u202e\x07.2010.<b>1080p</b>\u200b" + ".x" * 5_000
    told = await scene.answer("identity.explain", name=name)
    assert len(told["read_as"]) <= 1000
    assert told["read_as"].isprintable()
    assert told["remarks"] == [
        f"it has {len(name)} characters, of which the first 1000 are read",
        "control characters were read as blanks: U+0007",
        "invisible and direction characters were taken out: U+200B, U+202E",
        "it holds markup, which is read and shown as plain text",
    ]
    await scene.refusal(Code.INVALID_INPUT, "identity.explain", name="x" * 12_001)


@pytest.mark.anyio
@pytest.mark.parametrize("there", [True, False], ids=["unanswering", "not set up"])
async def test_the_owners_words_are_told_where_no_work_can_be_looked_up(
    scene: Scene, there: bool
) -> None:
    await scene.publish(IdentityPolicy(words=words_from(["replace: Durian => Sintel"])))
    parts = [catalogue_of(scene.base, credential="wrong.token.here")] if there else []
    away = scene.having(*parts, without=() if there else (Catalogue,))
    told = await away.answer("identity.explain", name="Durian.2010.1080p.BluRay.x264-OPEN")
    assert told["read_as"] == NAME
    assert [each["did"] for each in told["words"]] == ['replaced "Durian" by "Sintel"']
    assert told["facts"]["title"] == "Sintel"
    assert (told["accepted"], told["candidates"]) == (False, [])
    assert "grade" not in told
    assert told["policy_accepts"] is True
    assert ("TMDB: " if there else "No metadata source is set up") in told["not_looked_up"]


@pytest.mark.anyio
async def test_a_title_on_the_blocklist_is_rejected_with_the_reason(scene: Scene) -> None:
    block = NewBlock("a fake", title=NAME)
    await scene.write(lambda tx: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada"))
    for there in (scene, scene.having(without=(Catalogue,))):
        told = await there.answer("identity.explain", name=NAME)
        assert told["policy_accepts"] is False
        assert told["reasons"] == ["it is on the blocklist: a fake"]


@pytest.mark.anyio
async def test_a_policy_that_cannot_be_used_says_so_and_the_name_is_explained(scene: Scene) -> None:
    at, body = scene.ledger.now(), {"delay_minutes": 10**15}
    await scene.write(lambda tx: policies.publish(tx, "acquisition", body, at))
    told = await scene.answer("identity.explain", name=NAME)
    assert told["work"] == "tmdb:film:45745"
    assert "policy_accepts" not in told
    assert "cannot be used: delay_minutes" in told["reasons"][0]


@pytest.mark.anyio
async def test_a_word_that_would_fill_the_memory_is_refused(scene: Scene) -> None:
    heavy = "block: /(?:(?:(?:a{1000}){1000}){1000})/"
    refused = await scene.refusal(Code.INVALID_INPUT, "identity.explain", name=NAME, words=[heavy])
    assert "counted repeats" in refused.sentence


@pytest.mark.anyio
async def test_of_many_reasons_the_first_are_told_and_the_rest_is_counted(scene: Scene) -> None:
    words = [f"word{number}" for number in range(REASONS_SHOWN + 2)]
    await scene.publish(AcquisitionPolicy(refused_tokens=tuple(words)))
    told = await scene.answer("identity.explain", name=f"Sintel.2010.{'.'.join(words)}.1080p-A")
    assert len(told["reasons"]) == REASONS_SHOWN
    assert told["reasons_left_out"] >= 2
    assert told["candidates_left_out"] == 0
