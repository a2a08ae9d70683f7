from pathlib import Path

import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import CATEGORY, ClientState, Transfer
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.letting_go import ASKED, LET_GO, why_movable


def transfer(state: ClientState) -> Transfer:
    hashes = InfoHashes("a" * 40, None)
    return Transfer(hashes, "film", state, 1, 1, 0, 0, 0, Path("/downloads"), CATEGORY)


@pytest.mark.parametrize("asked", [True, False])
def test_what_its_client_stopped_or_has_no_more_may_be_moved(asked: bool) -> None:
    assert why_movable(transfer(ClientState.COMPLETED), asked=asked) == LET_GO
    assert why_movable(None, asked=asked) == LET_GO


def test_what_still_seeds_is_moved_only_because_a_person_asked_for_it() -> None:
    assert why_movable(transfer(ClientState.SEEDING), asked=True) == ASKED
    with pytest.raises(HaltError, match="still seeds"):
        why_movable(transfer(ClientState.SEEDING), asked=False)
