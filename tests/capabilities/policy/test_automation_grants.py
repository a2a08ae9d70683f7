import pytest

from capabilities.policy.automation_grants import GB, document, grants_of, told
from capabilities.policy.kinds import AnyPolicy
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.organize_policy import OrganizePolicy


@pytest.mark.parametrize(
    "policy", [AutomationPolicy(), AcquisitionPolicy(), IdentityPolicy(), OrganizePolicy()]
)
def test_what_allows_nothing_by_itself_grants_nothing(policy: AnyPolicy) -> None:
    assert list(grants_of(policy, 2)) == []


def test_downloads_are_granted_within_the_budgets_of_the_policy() -> None:
    policy = AutomationPolicy(acquire=True, downloads_per_day=3, gigabytes_per_day=40)
    (grant,) = grants_of(policy, 7)
    assert (grant.action, grant.policy_kind, grant.policy_version) == (
        "download.submit",
        "automation",
        7,
    )
    terms = grant.terms
    assert (terms.calls_per_day, terms.bytes_per_day) == (3, 40 * GB)
    assert not terms.may_replace
    assert terms.expires_at is None
    assert told(grant) == "download.submit, at most 3 a day, at most 40 GB a day, replacing nothing"


def test_no_budget_is_no_limit_and_is_told_as_none() -> None:
    first, second = grants_of(AutomationPolicy(acquire=True, organize=True), 2)
    assert told(first) == "download.submit, replacing nothing"
    assert told(second) == "organize.execute, replacing nothing"


@pytest.mark.parametrize(
    ("policy", "replacing"),
    [
        (AutomationPolicy(acquire=True, organize=True, upgrade=True), {"download.submit"}),
        (AutomationPolicy(acquire=True, organize=True, replace=True), {"organize.execute"}),
    ],
)
def test_each_grant_replaces_only_where_its_own_part_says_so(
    policy: AutomationPolicy, replacing: set[str]
) -> None:
    made = list(grants_of(policy, 2))
    assert {one.action for one in made if one.terms.may_replace} == replacing
    assert {one.action for one in made if "also what replaces files" in told(one)} == replacing


def test_two_policies_that_grant_different_things_have_different_documents() -> None:
    policies = [
        AutomationPolicy(acquire=True),
        AutomationPolicy(acquire=True, upgrade=True),
        AutomationPolicy(acquire=True, downloads_per_day=3),
        AutomationPolicy(acquire=True, gigabytes_per_day=3),
        AutomationPolicy(organize=True),
    ]
    documents = [[document(one) for one in grants_of(policy, 2)] for policy in policies]
    assert all(one not in documents[:place] for place, one in enumerate(documents))
