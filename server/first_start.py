"""What a new home is given, so that it works before anyone tunes it."""

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.automation_policy import AutomationPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.policy_json import to_json
from ledger.ledger import Ledger
from ledger.stores import policies
from ledger.writer import Transaction

VERSION_1 = {
    "acquisition": AcquisitionPolicy(),
    "identity": IdentityPolicy(),
    "organize": OrganizePolicy(),
    "automation": AutomationPolicy(),
}


async def publish_defaults(ledger: Ledger) -> None:
    """Publish version 1 of every kind of policy that has no published version."""

    def write(tx: Transaction) -> None:
        for kind, policy in VERSION_1.items():
            if policies.published(tx.conn, kind) is None:
                policies.publish(tx, kind, to_json(policy), ledger.now())

    await ledger.write(write)
