"""The command `wisp`: the same as the program in Rust, run in this process."""

import os
import signal
import sys
from typing import NoReturn

# Before anything is opened: a standard stream that is closed is nothing, not the next file that wisp opens.
for _stream in (0, 1, 2):
    try:
        os.fstat(_stream)
    except OSError:
        os.open(os.devnull, os.O_RDWR)

from . import _native, _places  # noqa: E402


def main() -> NoReturn:
    """Runs the command line of this process, and exits with its code."""
    program, *words = sys.argv
    program = os.path.abspath(program)
    # Ctrl-C ends it, or it handles that itself. A file that grows too large ends it, too.
    for number in (signal.SIGINT, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    encoded = [os.fsencode(word) for word in (program, *words)]
    places = [(what, os.fsencode(path)) for what, path in _places.of_command(program)]
    _native.run_command(encoded, (os.fsencode(sys.executable), [os.fsencode(word) for word in _again()]), places)
    raise SystemExit(125)


def _again() -> list[str]:
    """The options of this interpreter, and those that make it the command."""
    flags = sys.flags
    if flags.isolated:
        options = ["-I"]
    else:
        # `-P`: a folder that the command is started in, which may be an agent's, must not be where Python looks for modules.
        options = ["-P", *(option for option, on in (("-E", flags.ignore_environment), ("-s", flags.no_user_site)) if on)]
    return [*options, *(["-S"] if flags.no_site else []), "-m", "wisp_sandbox._cli"]


if __name__ == "__main__":
    main()
