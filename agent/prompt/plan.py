"""The model's own plan, read back to it with every request."""

from collections.abc import Mapping
from typing import Any


def plan_layer(plan: Mapping[str, Any] | None) -> str:
    """The steps with their states and evidence."""
    if plan is None:
        return "# Your plan\nNot recorded yet."
    return "\n".join(["# Your plan", *(_line(step) for step in plan["steps"])])


def _line(step: Mapping[str, Any]) -> str:
    evidence = f"; evidence: {step['evidence']}" if step.get("evidence") else ""
    blocked = f"; blocked by: {step['blocked_by']}" if step.get("blocked_by") else ""
    return f"- [{step['status']}] {step['id']}: {step['title']}{evidence}{blocked}"
