"""Which tool is for what, generated from the capabilities that this run may use."""

from collections.abc import Sequence

from capabilities.kernel.spec import Kind, Spec

_MARKS = {
    Kind.EXECUTE: " (needs the owner's approval)",
    Kind.PROPOSE: " (within the owner's policy; otherwise it becomes a question to the owner)",
}


def routes(specs: Sequence[Spec]) -> str:
    """One line a capability, in the order in which the tools are shown."""
    if not specs:
        return "# What you can use\nNothing but your own plan: answer from what you are told."
    lines = [f"- {spec.title}: {spec.tool}{_MARKS.get(spec.kind, '')}" for spec in specs]
    return "\n".join(["# What you can use", *lines])
