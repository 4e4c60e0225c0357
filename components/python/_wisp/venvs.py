"""Virtual environments: `python3 -m venv DIR` makes one, and `DIR/bin/python` starts in it."""

import os
import site
import sys

from . import paths

#: What marks the directory of an environment.
_MARK = "pyvenv.cfg"


def enter(program, asked):
    """If `program`, the name that the process was started by, lies in an environment, make the interpreter its own."""
    executable = _executable(program)
    if executable is None:
        return
    prefix = os.path.dirname(os.path.dirname(executable))
    settings = _settings(prefix)
    if settings is None:
        return
    sys.prefix = sys.exec_prefix = prefix
    sys.executable = executable
    site.PREFIXES = [prefix]
    own = paths.user_packages(prefix)
    if settings.get("include-system-site-packages", "false").lower() == "true":
        site.PREFIXES.append(paths.PREFIX)
    else:
        site.ENABLE_USER_SITE = False
        # The data image's archive of packages stays: they are native, so that no environment could have them otherwise.
        system = (paths.SITE_PACKAGES, paths.user_packages(paths.user_base()))
        sys.path[:] = [entry for entry in sys.path if entry not in system]
    sys.path.insert(sys.path.index(paths.STANDARD[-1]) + 1, own)
    if asked.flags["no_site"]:
        sys.path.remove(own)


def _executable(program):
    """The path by which the program was started, if it may be an environment's. A name alone is the first on PATH."""
    if "/" in program:
        path = os.path.abspath(program)
    elif "VIRTUAL_ENV" in os.environ:
        found = (f"{directory}/{program}" for directory in os.environ.get("PATH", "").split(":") if directory)
        path = next((one for one in found if os.path.lexists(one)), "")
    else:
        return None
    return None if os.path.dirname(path) in ("", "/usr/bin", "/bin") else path


def _settings(prefix):
    """The lines of the environment's file, or None if there is none."""
    try:
        with open(f"{prefix}/{_MARK}", encoding="utf-8") as file:
            lines = [line.partition("=") for line in file]
    except (OSError, UnicodeDecodeError):
        return None
    return {key.strip().lower(): value.strip() for key, _, value in lines}
