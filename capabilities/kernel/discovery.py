"""Finding every capability: each module of each domain folder, nothing listed by hand."""

import importlib
import pkgutil
from types import ModuleType

import capabilities
from capabilities.kernel.spec import SPEC_ATTRIBUTE, Spec

NOT_DOMAINS = frozenset({"kernel", "rules", "adapters"})


def discovered() -> list[Spec]:
    """The specs of all domains, by id.

    Raises:
        ValueError: an id is declared twice.
    """
    specs: dict[str, Spec] = {}
    for domain in pkgutil.iter_modules(capabilities.__path__, "capabilities."):
        if domain.name.rpartition(".")[2] in NOT_DOMAINS:
            continue
        package = importlib.import_module(domain.name)
        for module in pkgutil.iter_modules(package.__path__, f"{domain.name}."):
            for spec in declared_in(importlib.import_module(module.name)):
                if spec.id in specs:
                    raise ValueError(f"{spec.id!r} is declared twice")
                specs[spec.id] = spec
    return [specs[id_] for id_ in sorted(specs)]


def declared_in(module: ModuleType) -> list[Spec]:
    """The capabilities that one module declares itself (not those it imports)."""
    return [
        spec
        for held in vars(module).values()
        if isinstance(spec := getattr(held, SPEC_ATTRIBUTE, None), Spec)
        and getattr(held, "__module__", "") == module.__name__
    ]
