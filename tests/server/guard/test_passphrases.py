import pytest

from capabilities.kernel.codes import Code
from server.guard.faults import DoorError
from server.guard.passphrases import LONGEST, SHORTEST, Passphrases, refuse_weak


@pytest.mark.anyio
async def test_only_the_passphrase_itself_matches_its_hash() -> None:
    passphrases = Passphrases()
    stored = await passphrases.hashed("correct horse battery")
    assert stored.startswith("$argon2id$")
    assert await passphrases.matches("correct horse battery", stored)
    assert not await passphrases.matches("correct horse batterx", stored)
    assert not await passphrases.matches("", stored)


@pytest.mark.anyio
async def test_two_keyboards_type_the_same_accent() -> None:
    passphrases = Passphrases()
    stored = await passphrases.hashed("caf\u00e9 caf\u00e9 caf\u00e9")
    assert await passphrases.matches("cafe\u0301 cafe\u0301 cafe\u0301", stored)


def test_length_is_asked_for_and_bounded() -> None:
    refuse_weak("x" * SHORTEST)
    refuse_weak("\u4e2d" * SHORTEST)
    refuse_weak("x" * LONGEST)
    for unfit in ("", "x" * (SHORTEST - 1), "x" * (LONGEST + 1)):
        with pytest.raises(DoorError) as refused:
            refuse_weak(unfit)
        assert refused.value.code is Code.INVALID_INPUT
