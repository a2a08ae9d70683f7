"""A library and what would be taken of it, as a person reads it."""

from collections.abc import Iterator

from capabilities.rules.outside_text import cleaned, titled
from server.cli.api_client import Json
from server.cli.columns import columns


def progress(told: Json) -> str:
    """How far the titles are."""
    return f"{told['titles_told']} of {told['titles']} titles looked up."


def shown(told: Json) -> str:
    """What a plan would take, what it leaves, and why."""
    return "\n".join(_shown(told))


def asked(told: Json) -> str:
    """What the passphrase is asked for."""
    return (
        f"Take {_videos(told['adopts'])} of {cleaned(told['folder'])} into the inventory, "
        f"plan {told['plan']}. No file is moved or changed."
    )


def adopted(done: Json) -> str:
    """What is in the inventory now."""
    left = f" {done['unclear']} are left; `matinee decisions` tells why." if done["unclear"] else ""
    return (
        f"{_videos(done['files'])} taken in, of {_works(done['works'])}; films and episodes that "
        f"count as there now: {done['slots']}.{left} Their streams are read in the "
        "background."
    )


def _shown(told: Json) -> Iterator[str]:
    yield (
        f"{cleaned(told['folder'])}: {told['files']} files, {_videos(told['videos'])}, "
        f"{told['titles']} titles; {told['standing']} in the inventory already."
    )
    if told.get("works"):
        yield columns(
            [
                [
                    f"  {titled(one['title'], one.get('year'))}",
                    one["kind"],
                    str(one["files"]),
                    f"grade {one['grade']}",
                ]
                for one in told["works"]
            ]
        )
    if told["works_left_out"]:
        yield f"  and {told['works_left_out']} works more"
    if told.get("unclear"):
        yield "Not certain, and left where it is:"
        yield from (
            f"  {cleaned(one['example'])} ({one['files']}): {cleaned(one['why'])}"
            for one in told["unclear"]
        )
    if told["unclear_left_out"]:
        yield f"  and {told['unclear_left_out']} more"
    if told.get("others"):
        kinds = ", ".join(f"{many} {kind}" for kind, many in sorted(told["others"].items()))
        yield f"No videos to take, and left alone: {kinds}."
    for path, why in told.get("unreadable", {}).items():
        yield f"Not readable: {cleaned(path)}: {why}"
    if told["state"] == "frozen":
        yield f"{_videos(told['adopts'])} would be taken in. No file is moved or changed."
    else:
        yield "There is nothing to take in."


def _videos(many: int) -> str:
    return f"{many} video" if many == 1 else f"{many} videos"


def _works(many: int) -> str:
    return f"{many} work" if many == 1 else f"{many} works"
