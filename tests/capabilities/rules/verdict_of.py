"""One offer, judged by a policy as tests of its rules ask for it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.found import Found
from capabilities.rules.names.parsing import parse
from capabilities.rules.reasons import Rule
from capabilities.rules.verdicts import Circumstances, Judgement, judge

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
MEGABYTE = 1_000_000
NOBODY = Identity(Grade.E, None)
OFFER = Found("", "loopback", "1", seeders=5, size=700 * MEGABYTE, download_factor=1.0)


def judged(text: str, policy: AcquisitionPolicy | None = None, **offer: Any) -> Judgement:
    found = replace(OFFER, title=text, **offer)
    return judge(found, parse(text), NOBODY, policy or AcquisitionPolicy(), Circumstances(15, NOW))


def rules(judgement: Judgement) -> set[Rule]:
    return {reason.rule for reason in judgement.rejections}


def token(judgement: Judgement, rule: Rule) -> str:
    return next(reason.token for reason in judgement.reasons if reason.rule is rule)
