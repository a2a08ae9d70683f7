"""An installed `matinee` whose server is a scripted one."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

_SCRIPT = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
command, *arguments = sys.argv[1:]
if command == "mcp":
    from server.cli.bridge import main
else:
    from tests.server.cli.scripted_server import main
sys.exit(main(arguments))
"""


def installed(folder: Path) -> Path:
    """The path of the command in ``folder``, where it is written once."""
    script = folder / "matinee"
    if not script.exists():
        script.write_text(_SCRIPT)
        script.chmod(0o755)
    return script
