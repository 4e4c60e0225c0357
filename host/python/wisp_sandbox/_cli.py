"""The command `wisp`: the same as the program in Rust, run in this process."""

import os
import signal
import sys
from typing import NoReturn

from . import _native

# `-P`: a folder that the command is started in, which may be an agent's, must not be where Python looks for modules.
_AGAIN = ("-P", "-m", "wisp_sandbox._cli")


def main() -> NoReturn:
    """Runs the command line of this process, and exits with its code."""
    program, *words = sys.argv
    # Ctrl-C ends it, or it handles that itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    encoded = [os.fsencode(word) for word in (os.path.abspath(program), *words)]
    _native.run_command(encoded, (os.fsencode(sys.executable), [os.fsencode(word) for word in _AGAIN]))
    raise SystemExit(125)


if __name__ == "__main__":
    main()
