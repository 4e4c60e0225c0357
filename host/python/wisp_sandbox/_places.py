"""What a later start of this Python executes: no guest may write there, or its files would run outside of the sandbox."""

import os
import site
import sys
import sysconfig


def of_python() -> list[tuple[str, str]]:
    """Returns the places of this Python and its environment: what each is, and its path."""
    paths = sysconfig.get_paths()
    found = [(what, paths[name]) for name, what in (
        ("stdlib", "the standard library of this Python"),
        ("platstdlib", "the standard library of this Python"),
        ("purelib", "the packages of this Python"),
        ("platlib", "the packages of this Python"),
        ("scripts", "the programs of this Python"),
    )]
    found.append(("the settings of this environment", os.path.join(sys.prefix, "pyvenv.cfg")))
    if site.ENABLE_USER_SITE:
        found.append(("the packages of this Python", site.getusersitepackages()))
    return found


def of_command(program: str) -> list[tuple[str, str]]:
    """Returns the places of the command: those of this Python, where it looks for modules, and the folder of the file that starts it."""
    # With `python -m` and without `-P`, modules come from the working directory first.
    searched = [("where this start of Python looks for modules (`-P` leaves out the working directory)", os.path.abspath(path)) for path in sys.path]
    return [*of_python(), *searched, ("the folder of the program that was started", os.path.dirname(program))]
