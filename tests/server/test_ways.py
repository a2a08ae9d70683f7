import pytest
from pydantic import SecretStr

from capabilities.adapters.outbound import Outbound
from server.ways import Ways


@pytest.mark.anyio
async def test_only_who_lacks_a_key_that_is_sealed_and_does_not_open_is_kept_from_sending() -> None:
    async with Outbound(version="0") as opened, Outbound(version="0", shut="no") as closed:
        ways = Ways(opened, closed, {"one.key"})
        assert ways.out(None, "one.key") is closed
        assert ways.out(SecretStr("plain"), "one.key") is opened
        assert ways.out(None, "two.key") is opened
