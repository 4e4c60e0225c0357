"""Where Python finds itself in the guest, and `sys.path`."""

import os
import sys

PREFIX = "/usr"
LIBRARY = "/usr/lib/python3.14"
SITE_PACKAGES = LIBRARY + "/site-packages"
EXECUTABLE = "/usr/bin/python3"
ZONES = SITE_PACKAGES + "/tzdata/zoneinfo"

#: This package, and the bindings componentize-py generates: frames of their code are left out of tracebacks.
OWN = (LIBRARY + "/_wisp/", LIBRARY + "/wit_world/")


def standard_path():
    """`sys.path` of an interpreter that was told nothing."""
    return [LIBRARY, SITE_PACKAGES]


def start_path(options, environment):
    """`sys.path` at a start, without its first element, which is the program's."""
    path = []
    extra = environment.get("PYTHONPATH")
    if extra:
        path += [entry or os.getcwd() for entry in extra.split(":")]
    path.append(LIBRARY)
    if not options.flags["no_site"]:
        if not options.flags["no_user_site"] and not environment.get("PYTHONNOUSERSITE"):
            user = os.environ.get("HOME", "") + "/.local/lib/python3.14/site-packages"
            if os.path.isdir(user):
                path.append(user)
        path.append(SITE_PACKAGES)
    return path


def insert_program(first):
    """Put the program's directory in front."""
    if not sys.flags.safe_path:
        sys.path.insert(0, first)
