"""What was seen, for people."""

from tests.crash.proof import KINDS, Proven

_HEAD = ("", "points", "killed", "counted", "after it", "loud", "untried", *KINDS)


def table(seen: Proven) -> str:
    """A line for each part, one for each control, then what is wrong."""
    rows = [
        _HEAD,
        *(
            (
                name,
                *map(str, (t.points, t.kills, t.counted, t.after_effect, t.loud, t.untried)),
                *(str(t.broken[kind]) for kind in KINDS),
            )
            for name, t in seen.parts.items()
        ),
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_HEAD))]
    lines = [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    ends = [
        f"{play}: {n}" for tally in seen.parts.values() for play, n in sorted(tally.left.items())
    ]
    caught = [f"control {name}: seen {n} times" for name, n in seen.controls.items()]
    verdict = f"seed {seen.seed}, {seen.seconds} s, {len(seen.failures)} failures"
    return "\n".join([*lines, "", *ends, "", *caught, "", *seen.failures, verdict, ""])
