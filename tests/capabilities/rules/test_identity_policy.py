import pytest

from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.policy_json import from_json
from capabilities.rules.problems import UnsatisfiableError


@pytest.mark.parametrize(
    ("accepted", "said"),
    [
        (["A", "D"], ["grade D means several works"]),
        (["D", "E", "D"], ["grade D means several works", "grade E points to no work"]),
    ],
)
def test_no_grade_is_accepted_at_which_there_is_no_single_work(
    accepted: list[str], said: list[str]
) -> None:
    with pytest.raises(UnsatisfiableError) as wrong:
        from_json(IdentityPolicy, {"accepted": accepted})
    told = wrong.value.problems
    assert [problem.field for problem in told] == ["accepted"] * len(said)
    assert all(problem.why.startswith(start) for problem, start in zip(told, said, strict=True))


def test_a_title_without_a_year_may_be_accepted() -> None:
    policy = from_json(IdentityPolicy, {"accepted": ["A", "B", "C"]})
    assert policy.accepted == (Grade.A, Grade.B, Grade.C)
