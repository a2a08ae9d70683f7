"""What plain rename(2) cannot: naming without ever replacing, and exchanging two names.

Both are renameat2(2), which Linux has since 3.15 and a file system may still refuse. The methods
raise ``OSError``; their callers say what it means.
"""

import ctypes
import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

NOREPLACE: Final = 1
EXCHANGE: Final = 2
_Call = Callable[[int, bytes, int, bytes, int], int]


def _renameat2() -> _Call | None:
    found = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if found is not None:
        found.argtypes = (
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.c_uint,
        )
    return found


@dataclass(frozen=True, slots=True)
class Renames:
    """The call, looked up once; None where the system has none."""

    call: _Call | None

    @staticmethod
    def found() -> "Renames":
        """As this system has it."""
        return Renames(_renameat2())

    def to_free_name(self, folder: int, name: str, new_folder: int, new_name: str) -> None:
        """Rename within one file system, and only if nothing has the new name.

        Raises:
            FileExistsError: something has it.
            OSError: ``EOPNOTSUPP`` where system or file system cannot promise that.
        """
        self._rename((folder, name), (new_folder, new_name), NOREPLACE)

    def exchange(self, folder: int, one: str, other: str) -> None:
        """Let two names in one folder change their files, in one act.

        Raises:
            FileNotFoundError: one of them is not there.
            OSError: ``EOPNOTSUPP`` where system or file system cannot do that.
        """
        self._rename((folder, one), (folder, other), EXCHANGE)

    def _rename(self, old: tuple[int, str], new: tuple[int, str], flag: int) -> None:
        if self.call is None:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        if self.call(old[0], os.fsencode(old[1]), new[0], os.fsencode(new[1]), flag):
            code = ctypes.get_errno()
            # a file system that does not know the flag calls it an invalid argument
            code = errno.EOPNOTSUPP if code in {errno.EINVAL, errno.ENOSYS} else code
            raise OSError(code, os.strerror(code))
