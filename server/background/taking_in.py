"""Carrying an adoption on that is too large for one call."""

from dataclasses import dataclass

from capabilities.inventory.overview import bring_up_to_date
from capabilities.inventory.taking_in import take_parts
from capabilities.rules.wording import counted
from ledger.ledger import Ledger
from ledger.stores.tasks import TaskRow
from server.background.results import Done


@dataclass(frozen=True, slots=True)
class TakingIn:
    """Takes the parts of adoption plans into the inventory."""

    ledger: Ledger

    async def attend(self, task: TaskRow) -> Done:
        """Take what is left of the plan that the task is about; its last part settles the claim.

        Raises:
            LedgerUnavailableError: it could not be written; what is left is taken the next time.
        """
        taken = await take_parts(self.ledger, task.subject)
        await bring_up_to_date(self.ledger)
        return Done(f"{counted(taken, 'part')} of the plan were taken in.")
