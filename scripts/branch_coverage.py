"""Hold the covered branches against a bar; ``python -m scripts.branch_coverage FILE PERCENT``."""

import json
import sys
from pathlib import Path


def main(report: Path, bar: float) -> int:
    """Print the worst files and the total; exit 1 below the bar."""
    document = json.loads(report.read_text(encoding="utf-8"))
    totals = document["totals"]
    for name, held in sorted(
        document["files"].items(), key=lambda item: item[1]["summary"]["percent_covered"]
    )[:10]:
        sys.stdout.write(f"{held['summary']['percent_covered']:6.1f} %  {name}\n")
    share = 100 * totals["covered_branches"] / totals["num_branches"]
    lines = 100 * totals["covered_lines"] / totals["num_statements"]
    sys.stdout.write(f"{share:6.1f} %  of {totals['num_branches']} branches, {lines:.1f} % lines\n")
    return 0 if share >= bar else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), float(sys.argv[2])))
