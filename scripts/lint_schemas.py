"""Hold every published schema and the whole catalogue against the rules; exit 1 on a breach."""

import sys

from capabilities.kernel.discovery import discovered
from capabilities.kernel.schema_lint import lint
from capabilities.kernel.schemas import published


def main() -> int:
    """Print each breach with its capability."""
    specs = discovered()
    breaches = [f"{spec.id}: {fault}" for spec in specs for fault in lint(published(spec.given))]
    for breach in breaches:
        sys.stderr.write(f"{breach}\n")
    sys.stdout.write(f"{len(specs)} published schemas, {len(breaches)} breaches\n")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
