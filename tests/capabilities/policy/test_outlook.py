import pytest

from capabilities.policy.consequences import Consequences, Known
from capabilities.policy.kinds import AnyPolicy, PolicyKind
from capabilities.policy.outlook import EXAMPLES_ON_CARD, Basis, Outlook, basis, outlook
from capabilities.policy.rereading import KnownNames, RereadFacts, Rereading
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.naming import Templates
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.problems import Problem, UnsatisfiableError
from tests.ledger.moments import START
from tests.scene import Scene

NOTHING = Basis(Known(), KnownNames())
WRONG = UnsatisfiableError([Problem("words.0", "no such kind", "correct it")])


def test_an_acquisition_draft_is_tried_on_verdicts_and_an_identity_draft_on_names() -> None:
    verdicts = outlook(NOTHING, AcquisitionPolicy(), AcquisitionPolicy(least_seeders=3), START)
    assert list(verdicts.lines()) == [
        "of 0 known releases 0 newly accepted, 0 newly rejected",
        "could be upgraded: 0 on the shelf instead of 0",
    ]
    names = outlook(NOTHING, IdentityPolicy(), IdentityPolicy(accepted=()), START)
    assert list(names.lines()) == [
        "of 0 known releases 0 identified otherwise, 0 only read otherwise"
    ]


@pytest.mark.parametrize(
    ("after", "told"),
    [
        (AcquisitionPolicy(), "the published version can't be judged: words.0: no such kind"),
        (IdentityPolicy(), "the published version can't be read by: words.0: no such kind"),
    ],
)
def test_where_the_version_in_force_cannot_be_used_the_card_says_why_nothing_is_compared(
    after: AnyPolicy, told: str
) -> None:
    (line,) = outlook(NOTHING, WRONG, after, START).lines()
    assert line.startswith(told)


def test_an_automation_draft_is_tried_on_nothing() -> None:
    after = AutomationPolicy(acquire=True)
    assert outlook(NOTHING, after, after, START) == Outlook()
    assert outlook(NOTHING, WRONG, after, START) == Outlook()


def test_the_card_of_an_organize_draft_names_files_that_would_be_called_otherwise() -> None:
    own = OrganizePolicy(templates=Templates(specials_folder="Specials"))
    count, one = outlook(NOTHING, OrganizePolicy(), own, START).lines()
    assert count == "of 9 names tried 1 would be another one"
    assert one.startswith("special: Lantern Street (2019) {tmdb-1}/Season 00/Lantern")
    assert "→ Lantern Street (2019) {tmdb-1}/Specials/Lantern" in one
    assert not list(outlook(NOTHING, own, own, START).lines())
    (_, first, *_) = outlook(NOTHING, WRONG, own, START).lines()
    assert first.startswith("film: unknown → The Night Train")


def test_the_card_names_a_few_that_mean_something_else_and_what_was_left_out() -> None:
    one = RereadFacts(title="A", read_as=None, before="work 1", after="work 2")
    same = replace_title(one, "B")
    told = Rereading(
        releases_read=400,
        releases_left_out=20,
        identified_otherwise=7,
        only_read_otherwise=1,
        examples=[*[one] * 7, same],
    )
    lines = list(Outlook(rereading=told).lines())
    assert lines[0] == (
        "of 400 known releases (20 not tried) 7 identified otherwise, 1 only read otherwise"
    )
    assert lines[1:] == ["A: work 1 → work 2"] * EXAMPLES_ON_CARD


def replace_title(one: RereadFacts, title: str) -> RereadFacts:
    return one.model_copy(update={"title": title, "after": one.before})


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "verdicts", "names"),
    [("acquisition", True, False), ("identity", False, True), ("organize", False, False)],
)
async def test_only_what_a_kind_is_tried_on_is_read(
    scene: Scene, kind: PolicyKind, *, verdicts: bool, names: bool
) -> None:
    await scene.candidates()
    found = await scene.read(lambda conn: basis(conn, kind))
    assert (bool(found.known.rows), bool(found.names.rows)) == (verdicts, names)


def test_the_card_says_how_much_there_was_no_time_for() -> None:
    told = Consequences(releases_judged=1, releases_left_out=20, works_left_out=1)
    assert list(Outlook(consequences=told).lines()) == [
        "of 1 known release (20 not tried) 0 newly accepted, 0 newly rejected",
        "could be upgraded: 0 on the shelf instead of 0 (1 work not looked at)",
    ]
