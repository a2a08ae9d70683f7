"""Capabilities that belong to no one skill: of use in any conversation, or to clients alone."""

GENERAL = frozenset(
    {
        "decision.list",
        "decision.resolve",
        "download.give_up",
        "download.list",
        "download.recheck",
        "download.remove",
        "downloader.list",
        "identity.explain",
        "inventory.adopt",
        "inventory.plan",
        "metadata.enrich",
        "organize.assign_identity",
        "organize.execute",
        "organize.plan",
        "runs.abort_run",
        "runs.choose_option",
        "runs.get_run",
        "runs.list_runs",
        "runs.send_message",
        "runs.start_run",
        "task.cancel",
        "task.inspect",
        "task.retry",
    }
)
