"""The paths of Python in the guest, and `sys.path`."""

import os
import sys

from componentize_py_types import Err
from wit_world.imports import files

from . import spelling

#: The folder of a library below a prefix, and of the packages in it.
_FOLDER = f"lib/python3.{sys.version_info.minor}"
_PACKAGES = _FOLDER + "/site-packages"

PREFIX = "/usr"
LIBRARY = f"{PREFIX}/{_FOLDER}"
SITE_PACKAGES = f"{PREFIX}/{_PACKAGES}"
EXECUTABLE = "/usr/bin/python3"
ZONES = SITE_PACKAGES + "/tzdata/zoneinfo"

#: What `sys.path` has for the standard library, and for the packages of the image. The data image has an archive in each.
STANDARD = [LIBRARY]
PACKAGES = [SITE_PACKAGES]

#: The bindings that componentize-py generates.
BINDINGS = LIBRARY + "/wit_world/"

#: This package and the bindings: frames of their code are left out of tracebacks.
OWN = (LIBRARY + "/_wisp/", BINDINGS)

#: Code that holds locks its callers cannot see, some of which a handler may need: `event.set()`, `queue.put()`.
LOCKING = (LIBRARY + "/threading.py", LIBRARY + "/queue.py")


def standard_path():
    """`sys.path` of an interpreter without options."""
    return [*STANDARD, *PACKAGES]


def user_base():
    """The directory of a user's own packages, scripts and data."""
    return os.environ.get("PYTHONUSERBASE") or os.environ.get("HOME", "") + "/.local"


def user_packages(base):
    """The packages in such a directory."""
    return f"{base}/{_PACKAGES}"


def start_path(options, environment):
    """`sys.path` at a start, without its first element, which belongs to the program."""
    path = []
    extra = environment.get("PYTHONPATH")
    if extra:
        path += [entry or os.getcwd() for entry in extra.split(":")]
    path += STANDARD
    if not options.flags["no_site"]:
        if not options.flags["no_user_site"] and not environment.get("PYTHONNOUSERSITE"):
            user = user_packages(user_base())
            if _exists(user):
                path.append(user)
        path += PACKAGES
    return path


def _exists(path):
    """Whether a directory exists. Asks the host itself, because every start does this."""
    try:
        return files.stat_at(spelling.spell(path), True).kind == files.FileType.DIRECTORY
    except Err:
        return False


def insert_program(first):
    """Put the program's directory first."""
    if not sys.flags.safe_path:
        sys.path.insert(0, first)
