import sys

from capabilities.kernel.actors import owner
from capabilities.kernel.deciding import decide
from ledger.stores import approvals
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import OWNER, Rig
from tests.server.cli.typist import typist

PLAYED = """
import sys
from pathlib import Path
import anyio
from server.cli.demo.faults import DemoFailedError
from server.cli.demo.person import person_approves
try:
    anyio.run(person_approves, Path(sys.argv[1]), sys.argv[2])
except DemoFailedError as short:
    open("/dev/tty", "w").write(f"{short}\\n")
    sys.exit(1)
"""


def test_a_plan_that_was_declined_elsewhere_is_not_asked_about_again(rig: Rig) -> None:
    approval, _ = rig.ask_for_approval()
    command = (sys.executable, "-c", PLAYED, str(rig.home.root), approval)
    with typist(command=command) as person:
        person.sees("Passphrase: ")
        rig.portal.call(_decline, rig, approval)
        person.types(f"{PASSPHRASE}\n")
        person.sees("the plan was not approved, so nothing was downloaded.")
        assert person.leaves() == Exit.FAILED
    assert person.screen.count("Passphrase: ") == 1


async def _decline(rig: Rig, approval: str) -> None:
    found = await rig.ledger.read(lambda conn: approvals.by_id(conn, approval))
    assert found is not None
    await decide(
        rig.ledger,
        approval,
        approved=False,
        by=owner(OWNER),
        payload_hash=found.payload_hash,
        revision=found.revision,
        reason="no",
    )
