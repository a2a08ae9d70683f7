"""Following a run of the agent until it is over, or waits for somebody who is not here."""

from typing import Any

from server.cli.api_client import Api, Json
from server.cli.downloads import Downloads
from server.cli.exits import Exit
from server.cli.harmless import harmless
from server.cli.no_worker import STANDS, no_worker_at
from server.cli.printing import Speech
from server.cli.question import Question
from server.cli.screen import Screen
from server.cli.steps import plan_line, told

OVER = frozenset({"succeeded", "failed", "cancelled", "budget_exceeded"})
REPORTED = "done"
EVENTS = 100
POLL_S = 20.0
LOOK_S = 1.0
SOON_S = 0.1


class Follower:
    """One run, followed by one terminal; the run needs nobody to follow it.

    Attributes:
        interrupted: whether Ctrl-C asked the run to stop.
    """

    def __init__(self, api: Api, run: str, speech: Speech) -> None:
        """Begin with the run's first event."""
        self._api = api
        self._path = f"/agent/runs/{run}"
        self._speech = speech
        self._screen = Screen(speech)
        self._downloads = Downloads(api)
        self._seen = 0
        self._plan: str | None = None
        self._state: str | None = None
        self._said_no_worker = False
        self.interrupted = False

    def follow(self) -> Json:
        """Tell what happens until there is a report; the run as it stands then.

        Ctrl-C asks the run to stop and goes on following; a second one is passed on.

        Raises:
            EndError: the run waits for a decision that was not made here; it goes on waiting.
        """
        try:
            return self._to_its_end()
        except KeyboardInterrupt:
            self.interrupted = True
            self._ask_to_stop()
            return self._to_its_end()
        finally:
            self._screen.close()

    def _to_its_end(self) -> Json:
        wait_s = 0.0
        while True:
            run = self._next_page(wait_s)
            wait_s = self._patience(run)
            if run["more"]:
                continue
            if run["state"] in OVER or run["phase"] == REPORTED:
                return run
            if "waits_for" in run and not self.interrupted:
                self._screen.close()
                Question(self._api, self._speech).put(run)
            self._tell_standstill(run)
            if self._downloads.under_way:
                self._screen.transfers(self._downloads.look())

    def _patience(self, run: Json) -> float:
        """How long the server may wait for the next event before it answers, in seconds."""
        if run["more"]:
            return 0
        if self._state not in {None, run["state"]}:
            return SOON_S  # the row was read before the events that changed it
        return LOOK_S if self._downloads.under_way else POLL_S

    def _next_page(self, wait_s: float) -> Json:
        query = {"after_seq": self._seen, "limit": EVENTS, "wait_s": wait_s}
        run: Json = self._api.get(self._path, query)["data"]
        for event in run["events"]:
            self._tell(event["type"], event["body"])
        self._tell_plan(run.get("plan"))
        self._seen = run["next_after_seq"]
        return run

    def _tell(self, type_: str, body: dict[str, Any]) -> None:
        self._downloads.note(type_, body)
        if type_ == "run_status":
            self._state = body["state"]
        if type_ == "text_delta":
            self._screen.words(body["text"], body["reply"], body["attempt"])
        elif line := told(type_, body, verbose=bool(self._speech.verbosity)):
            self._screen.line(line)

    def _tell_plan(self, plan: Json | None) -> None:
        line = plan_line(plan)
        if line is not None and line != self._plan:
            self._plan = line
            self._screen.line(f"Plan: {line}")

    def _tell_standstill(self, run: Json) -> None:
        """Say once that nobody works at the run, where nothing happens in it for that reason."""
        if self._said_no_worker or run["state"] not in STANDS:
            return
        if told := no_worker_at(self._api):
            self._said_no_worker = True
            self._screen.line(told)

    def _ask_to_stop(self) -> None:
        self._screen.close()
        answer = self._api.call(f"{self._path}/abort")
        self._speech.error("\nThe run is asked to stop; press Ctrl-C again to leave at once.")
        for name in answer.data.get("not_undone", ()):
            self._speech.error(f"What it submitted goes on: {harmless(name)}")


def status_of(run: Json, *, interrupted: bool) -> Exit:
    """The exit status for a run that has its report."""
    report: Json = run.get("report") or {}
    match run["state"]:
        case "succeeded":
            return Exit.DONE
        case "cancelled" if interrupted:
            return Exit.INTERRUPTED
        case _:
            return Exit.UNKNOWN if report.get("unknown") else Exit.FAILED
