from agent.models.port import Usage
from agent.usage import Meter, Used


class Watch:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_usage_survives_being_stored() -> None:
    used = Used(requests=2, tool_calls=3, input_tokens=400, active_s=1.25, noticed=1)
    assert Used.stored(used.document()) == used
    assert Used.stored({}) == Used()
    assert Used.stored({"a key of a later version": 1}) == Used()


def test_the_meter_adds_to_what_was_used_before() -> None:
    watch = Watch()
    meter = Meter(Used(requests=1, tool_calls=1, input_tokens=10, active_s=5.0), watch)
    watch.seconds += 2.0
    meter.reply(Usage(input=100, output=20, cached=90))
    meter.reply(None)
    meter.call()
    assert meter.used == Used(
        requests=3,
        tool_calls=2,
        input_tokens=110,
        output_tokens=20,
        cached_tokens=90,
        active_s=7.0,
    )


def test_reopening_keeps_the_totals_and_begins_a_fresh_budget() -> None:
    used = Used(tool_calls=120, active_s=1800.0, noticed=2).reopened()
    assert (used.tool_calls, used.active_s) == (120, 1800.0)
    assert (used.calls, used.seconds, used.noticed) == (0, 0.0, 0)
