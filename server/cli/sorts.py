"""What has ids, and how all of a sort are listed."""

from collections.abc import Iterator

from capabilities.rules.outside_text import cleaned
from server.cli.api_client import Api, Json, Query
from server.cli.grant_card import grant_row
from server.cli.ids import Named, Sort

MOST = 100
MOST_RUNS = 50
APPROVAL_STATES = ("requested", "approved", "declined", "consumed", "withdrawn", "lapsed")
DECISION_STATES = ("open", "investigating", "awaiting_user", "resolved", "dismissed")


def pages(api: Api, path: str, items: str, query: Query | None = None) -> Iterator[Json]:
    """Every item of a list, page by page."""
    asked: dict[str, str | int | float | list[str]] = {"limit": MOST, **(query or {})}
    while True:
        found = api.get(path, asked)
        held = found.get("data", found)
        yield from held[items]
        cursor: str | None = held["page"].get("next_cursor")
        if cursor is None:
            return
        asked["cursor"] = cursor


def waiting_approvals(api: Api) -> Iterator[Json]:
    """All that wait for the owner."""
    return pages(api, "/approvals", "approvals")


def all_decisions(api: Api, **query: str) -> Iterator[Json]:
    """Decisions in every state, those that wait first."""
    for state in DECISION_STATES:
        yield from pages(api, "/decisions", "decisions", {**query, "status": state})


def _approvals(api: Api) -> Iterator[Named]:
    for each in pages(api, "/approvals", "approvals", {"state": list(APPROVAL_STATES)}):
        yield Named(each["id"], _title(each))


def _plans(api: Api) -> Iterator[Named]:
    for each in waiting_approvals(api):
        yield Named(each["plan"], _title(each))


def _decisions(api: Api) -> Iterator[Named]:
    for each in all_decisions(api):
        yield Named(each["id"], cleaned(each["title"]))


def _acts(api: Api) -> Iterator[Named]:
    for each in pages(api, "/invocations", "invocations"):
        yield Named(each["id"], f"{cleaned(each['about'])} ({each['state']})")


def _runs(api: Api) -> Iterator[Named]:
    for each in pages(api, "/agent/runs", "runs", {"limit": MOST_RUNS}):
        yield Named(each["id"], cleaned(each["goal"]))


def _grants(api: Api) -> Iterator[Named]:
    for each in pages(api, "/grants", "grants", {"ended": "true"}):
        yield Named(each["id"], cleaned(", ".join(grant_row(each)[1:])))


def _keys(api: Api) -> Iterator[Named]:
    for each in api.get("/keys")["keys"]:
        yield Named(each["id"], cleaned(each["name"]))


def _blocks(api: Api) -> Iterator[Named]:
    for each in pages(api, "/blocklist", "entries", {"removed": "true"}):
        yield Named(each["id"], cleaned(f"{each['title'] or each['info_hash']}: {each['reason']}"))


def _title(approval: Json) -> str:
    return cleaned(str(approval["card"].get("title") or approval["capability"]))


APPROVAL = Sort("apr", "approval", "matinee approval list --state all", _approvals)
PLAN = Sort("plan", "plan that waits for you", "matinee approval list", _plans)
DECISION = Sort("dec", "decision", "matinee decisions", _decisions)
ACT = Sort("inv", "act", "matinee claims list", _acts)
RUN = Sort("run", "run of yours", "matinee call runs.list_runs", _runs)
GRANT = Sort("grant", "grant", "matinee grant list --all", _grants)
BLOCK = Sort("block", "entry of the blocklist", "matinee policy blocklist list", _blocks)
KEY = Sort("key", "key", "matinee key list", _keys, builtin=frozenset({"local"}))
