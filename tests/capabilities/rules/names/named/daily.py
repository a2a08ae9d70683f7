"""Programmes that are counted by the day they were shown."""

from tests.capabilities.rules.names.named.rows import named

NAMES = (
    named(
        "Evening.Talk.2019.05.28.720p.WEB.H264-QUARTZ", title="Evening Talk", air_date="2019-05-28"
    ),
    named("Evening Talk 2019-05-28 720p", title="Evening Talk", air_date="2019-05-28"),
    named(
        "Evening Talk - 2019-05-28 - Somebody Famous",
        title="Evening Talk",
        air_date="2019-05-28",
        episode_title="Somebody Famous",
        group=None,
    ),
    named("Evening_Talk_2019_05_28_720p", air_date="2019-05-28"),
    named("Evening.Talk.28.05.2019.HDTV", air_date="2019-05-28"),
    named("Evening.Talk.05.28.2019.HDTV", air_date="2019-05-28"),
    named("Evening Talk 20190528 720p", air_date="2019-05-28"),
    named("Evening.Talk.190528.720p.HDTV.H264-QUARTZ", title="Evening Talk", air_date="2019-05-28"),
    named("Evening Talk 28 May 2019 720p", air_date="2019-05-28"),
    named("Evening Talk 28th May 2019 720p", air_date="2019-05-28"),
    named("Evening Talk May 28 2019 720p", air_date="2019-05-28"),
    named("Evening Talk (2019-05-28) 720p", title="Evening Talk", air_date="2019-05-28"),
    named(
        "Evening.Talk.2019.05.28.Somebody.Famous.720p.WEB-QUARTZ", episode_title="Somebody Famous"
    ),
    named("Evening.Talk.04.05.2019.HDTV", air_date=None, year=None),
    named("Evening.Talk.US.2019.05.28.720p", title="Evening Talk", country="US"),
    named("Evening.Talk.2019.05.28.Part.2.720p", air_date="2019-05-28", daily_part=2),
)
