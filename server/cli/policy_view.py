"""Policies, drafts and trials as a person reads them."""

import json
from collections.abc import Iterator
from typing import cast

from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted
from server.cli.api_client import Json
from server.cli.columns import columns

YES, NO = "✓", "✗"
LONGEST_CELL = 100
"""Signs of a list, or an object, in one line; a longer one has a line for each item."""
LONGEST_ITEM = 2_000


def shown(found: Json) -> str:
    """A version: its body field by field, and what was left out."""
    body: Json = found["body"]
    flat = {name: _set(held) for name, held in body.items()}
    rows = [[name, _json(held)] for name, held in flat.items() if not _is_long(held)]
    head = f"{found['kind']} policy, version {found['version']}, {found['state']}"
    long = [line for name, held in flat.items() if _is_long(held) for line in _lines(name, held)]
    left_out = [f"left out here: {one}" for one in found.get("parts_left_out", [])]
    return "\n".join([head, *([columns(rows)] if rows else []), *long, *left_out])


def _set(held: object) -> object:
    """A field as it is shown; of an object inside only what is set in it."""
    if not isinstance(held, dict):
        return held
    return {key: one for key, one in cast("Json", held).items() if one is not None}


def _is_long(held: object) -> bool:
    return isinstance(held, list | dict) and len(_json(cast("object", held))) > LONGEST_CELL


def _lines(name: str, held: object) -> Iterator[str]:
    """A list, or an object, with a line for each of what is in it."""
    yield f"{name}:"
    if isinstance(held, dict):
        inside = cast("Json", held)
        yield from (f"  {key}  {cleaned(_value(one), LONGEST_ITEM)}" for key, one in inside.items())
    else:
        yield from (f"  {_item(one)}" for one in cast("list[object]", held))


def _item(held: object) -> str:
    """One thing by its name, with what is set of it."""
    if not isinstance(held, dict):
        return cleaned(str(held), LONGEST_ITEM)
    fields = dict(cast("Json", held))
    name = fields.pop("name", None)
    told = "; ".join(
        f"{key} {_value(one)}" for key, one in fields.items() if one is not None and one != []
    )
    return cleaned(": ".join(str(part) for part in (name, told) if part), LONGEST_ITEM)


def _value(held: object) -> str:
    match held:
        case str():
            return held
        case list() if not any(isinstance(one, dict | list) for one in cast("list[object]", held)):
            return ", ".join(map(_value, cast("list[object]", held)))
        case _:
            return _json(held)


def _json(held: object) -> str:
    return json.dumps(held, ensure_ascii=False)


def asked(found: Json, drafted: Json) -> str:
    """A draft before it is published: whose it is, what it changes and grants, and its plan."""
    head = f"Draft {drafted['version']} of the {found['kind']} policy, by {drafted.get('by')}"
    card: Json = found.get("card") or {}
    changes = [f"  {cleaned(str(one), 600)}" for one in card.get("changes", [])]
    return "\n".join([f"{head}, plan {drafted['plan']}:", *changes])


def history(found: Json) -> str:
    """The versions, newest first."""
    return columns([_version(one) for one in found["versions"]])


def _version(one: Json) -> list[str]:
    when = one.get("published_at") or one["created_at"]
    back = f"as version {one['from_version']} was" if one.get("from_version") else ""
    return [f"v{one['version']}", one["state"], when[:16], one.get("by") or "first start", back]


def draft(found: Json) -> str:
    """What a draft would change."""
    return "\n".join(_draft(found))


def _draft(found: Json) -> Iterator[str]:
    base = found["base_version"]
    yield f"Draft {found['version']} of the {found['kind']} policy, in place of version {base}:"
    for change in found["changes"]:
        yield f"  {cleaned(change['field'])}: {change['before']} → {change['after']}"
    if found["changes_left_out"]:
        yield f"  and {found['changes_left_out']} more"
    yield from (f"  grants {one}" for one in found["grants_made"])
    yield from (f"  ends the grant for {one}" for one in found["grants_lapsing"])
    if found["grants_lapsing_left_out"]:
        yield f"  ends {counted(found['grants_lapsing_left_out'], 'more grant')}"
    if (imported := found.get("imported")) is not None:
        yield f"  formats imported: {imported['formats']}, left out: {imported['left_out_in_all']}"
        yield from (f"    left out: {cleaned(one)}" for one in imported["left_out"])
        yield from (f"    no score, so 0: {cleaned(one)}" for one in imported["unscored"])
        if imported["unscored_left_out"]:
            yield f"    no score, so 0: {imported['unscored_left_out']} more"
    if (told := found.get("consequences")) is not None:
        yield from _consequences(told)
    if (told := found.get("rereading")) is not None:
        yield from _rereading(told)
    if (told := found.get("renaming")) is not None:
        yield from _renaming(told)


def _consequences(told: Json) -> Iterator[str]:
    if told.get("not_compared"):
        yield cleaned(told["not_compared"], 400)
        return
    left_out, works = told["releases_left_out"], told["works_left_out"]
    yield (
        f"Of {counted(told['releases_judged'], 'known release')} {told['newly_accepted']} would "
        f"newly be accepted, {told['newly_rejected']} newly rejected"
        + (f"; {left_out} more were not tried." if left_out else ".")
    )
    for one in told["examples"]:
        yield f"  {YES if one['accepted'] else NO} {cleaned(one['title'])}"
        before = "was refused: " if one["accepted"] else ""
        yield from (f"      {before}{cleaned(why)}" for why in one["why"])
        if one["why_left_out"]:
            yield f"      and {counted(one['why_left_out'], 'more reason')}"
    if told["examples_left_out"]:
        yield f"  and {told['examples_left_out']} more"
    yield (
        f"On the shelf {told['upgradable_after']} could be upgraded; now "
        f"{told['upgradable_before']} can"
        + (f"; {counted(works, 'work')} not looked at." if works else ".")
    )
    yield from (f"  {cleaned(one)}" for one in told["newly_upgradable"])
    if told["newly_upgradable_left_out"]:
        yield f"  and {told['newly_upgradable_left_out']} more"


def _rereading(told: Json) -> Iterator[str]:
    if told.get("not_compared"):
        yield cleaned(told["not_compared"], 400)
        return
    left_out = told["releases_left_out"]
    yield (
        f"Of {counted(told['releases_read'], 'known release')} {told['identified_otherwise']} "
        f"would be identified otherwise, {told['only_read_otherwise']} only read otherwise"
        + (f"; {left_out} more were not tried." if left_out else ".")
    )
    for one in told["examples"]:
        yield f"  {cleaned(one['title'])}"
        if one.get("read_as") is not None:
            yield f"      read as: {cleaned(one['read_as'])}"
        if one["before"] != one["after"]:
            yield f"      now:     {cleaned(one['before'])}"
        yield f"      then:    {cleaned(one['after'])}"
    if told["examples_left_out"]:
        yield f"  and {told['examples_left_out']} more"


def _renaming(told: Json) -> Iterator[str]:
    """Every name, so that an owner sees what stays; nothing on the shelf is renamed."""
    if not told["changed"]:
        yield f"Of {counted(told['tried'], 'name')} tried none would be another one."
        return
    yield f"Of {counted(told['tried'], 'name')} tried {told['changed']} would be another one:"
    for one in told["names"]:
        where = "" if one["in_library"] else "e.g. "
        yield f"  {where}{cleaned(one['what'], 200)}"
        if one.get("before") != one["after"]:
            yield f"      now:     {cleaned(one.get('before') or 'unknown', 600)}"
            yield f"      then:    {cleaned(one['after'], 600)}"
        else:
            yield f"      as now:  {cleaned(one['after'], 600)}"


def trial(found: Json) -> str:
    """A name on a policy: the verdict, the rules, the formats condition by condition."""
    return "\n".join(_trial(found["trial"]))


def _trial(told: Json) -> Iterator[str]:
    verdict = "accepted" if told["accepted"] else "rejected"
    yield f"{verdict}, tier {told.get('tier') or 'none'}, score {told['score']}"
    yield from (f"  {cleaned(one)}" for one in told["rules"])
    if told["rules_left_out"]:
        yield f"  and {counted(told['rules_left_out'], 'more rule')}"
    for one in told["formats"]:
        yield f"{YES if one['matches'] else NO} {cleaned(one['name'])} ({one['score']:+d})"
        yield from (f"    {_condition(each)}" for each in one["conditions"])
        if one["conditions_left_out"]:
            yield f"    and {counted(one['conditions_left_out'], 'more condition')}"
    if told["formats_left_out"]:
        yield f"and {counted(told['formats_left_out'], 'more format')}; name one with --format"


def _condition(one: Json) -> str:
    hit = f"hit {one['hit']!r}" if one.get("hit") is not None else "hit nothing"
    signs = [word for word in ("required", "negate") if one[word]]
    took = ", took too long" if one["undecided"] else ""
    kinds = ", ".join([one["kind"], *signs])
    return f"{YES if one['holds'] else NO} {cleaned(one['name'])} ({kinds}): {hit}{took}"
