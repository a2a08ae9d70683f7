from capabilities.rules.time_budget import Budget


def spend(budget: Budget) -> int:
    rounds = 0
    while budget.left:
        rounds += 1
    return rounds


def test_a_budget_is_used_up_by_work() -> None:
    budget = Budget(0.02)
    assert 0 < budget.left <= 0.02
    assert spend(budget) > 0
    assert budget.left == 0


def test_one_within_another_ends_with_it() -> None:
    outer = Budget(0.02)
    inner = Budget(60, outer)
    assert inner.left <= 0.02
    spend(outer)
    assert inner.left == 0
