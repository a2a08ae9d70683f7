"""All looks at a home, one after the other."""

from collections.abc import Callable, Iterable, Iterator

from ledger.location import Location, located
from server.cli.doctor.clients import clients
from server.cli.doctor.configured import outside_systems, settings_of
from server.cli.doctor.database import database
from server.cli.doctor.finding import Finding, Severity
from server.cli.doctor.folders import folders
from server.cli.doctor.place import home_folder, python
from server.cli.doctor.ports import ports
from server.cli.doctor.process import is_held, process
from server.cli.doctor.role import role
from server.cli.doctor.sealing import sealed_names, sealing
from server.cli.home import Home
from server.cli.home_role import for_workers, remembered, worker_in
from server.settings import Settings

Look = Callable[[], Iterable[Finding]]


def examine(home: Home, *, ask_clients: bool = False) -> list[Finding]:
    """Everything that is found; a look that fails is a finding of its own.

    With ``ask_clients``, the download clients prove that they save where we look.
    """
    settings, about_settings = settings_of(home)
    looks: dict[str, Look] = {
        "python": lambda: [python()],
        "home": lambda: home_folder(home),
        "process": lambda: process(home),
        "database": lambda: database(_ledger(home, settings), doors=not for_workers(home)),
    }
    if settings is not None:
        looks["folders"] = lambda: folders(settings)
        looks["role"] = lambda: role(home, settings)
        looks["ports"] = lambda: ports(settings, remembered(home), running=_runs(home))
        looks["outside"] = lambda: outside_systems(settings, sealed_names(home, settings))
        looks["secrets"] = lambda: sealing(home, settings)
        if ask_clients:
            looks["clients"] = lambda: clients(home, settings)
    found = [finding for id_, look in looks.items() for finding in _looked(id_, look)]
    return [*about_settings, *found]


def _runs(home: Home) -> bool:
    return is_held(home) or worker_in(home)


def _ledger(home: Home, settings: Settings | None) -> Location:
    return located(home.root, None if settings is None else settings.database.address)


def repaired(findings: Iterable[Finding]) -> list[str]:
    """Carry out every repair that there is; the ids of what was repaired."""
    done: list[str] = []
    for finding in findings:
        if finding.repair is not None:
            finding.repair()
            done.append(finding.id)
    return done


def worst(findings: Iterable[Finding]) -> Severity:
    """How bad the worst of them is."""
    return max((finding.severity for finding in findings), default=Severity.OK)


def _looked(id_: str, look: Look) -> Iterator[Finding]:
    try:
        yield from look()
    except Exception as fault:  # noqa: BLE001  # the outermost handler: a doctor sees all patients
        yield Finding(
            id_,
            Severity.ERROR,
            f"This could not be looked at ({type(fault).__name__}: {fault}).",
            "Something is broken there; put a backup in its place if it stays so.",
        )
