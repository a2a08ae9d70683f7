"""A real hard link between two folders: the only proof that one is possible."""

import os
import secrets
from contextlib import suppress

from capabilities.adapters.shelf.faults import translated
from capabilities.adapters.shelf.leftovers import temporary_name
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import WorldFaultError

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def why_no_link(downloads: Root, library: Root) -> str | None:
    """Make an empty file in one folder, link it into the other, and take both away; it blocks.

    Returns:
        why it is not possible, for a person; None if it is.
    """
    name = temporary_name(f"link-test-{secrets.token_hex(6)}")
    with downloads.folder() as here, library.folder() as there:
        try:
            with translated(library.system):
                os.close(os.open(name, _NEW, 0o600, dir_fd=here))
                os.link(name, name, src_dir_fd=here, dst_dir_fd=there, follow_symlinks=False)
        except WorldFaultError as fault:
            return fault.sentence
        finally:
            for folder in (here, there):
                with suppress(OSError):
                    os.unlink(name, dir_fd=folder)
    return None
