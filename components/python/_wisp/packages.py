"""What pip needs around it: where it installs for a user, and why a package cannot be had."""

import logging
import os
import re
import sys
import sysconfig

from . import advice

#: Where pip says that no release of a package fits.
_LOGGERS = ("pip._internal.resolution.resolvelib.factory", "pip._internal.cli.base_command")

#: How it says so; the name of the package follows.
_NOT_FOUND = re.compile(r"(?:No matching distribution found for|satisfies the requirement|Failed to build|building wheel for) '?([A-Za-z0-9._-]+)")


def _user_scheme():
    """The directories of what a user installs, which CPython for WASI leaves out (`sysconfig`, "User scheme")."""
    base = "{userbase}"
    library = base + "/lib/python{py_version_short}"
    return {
        "stdlib": library, "platstdlib": library, "purelib": library + "/site-packages", "platlib": library + "/site-packages",
        "include": base + "/include/python{py_version_short}", "scripts": base + "/bin", "data": base,
    }


def install():
    """Let `sysconfig` know the user's directories."""
    sysconfig._HAS_USER_BASE = True
    sysconfig._INSTALL_SCHEMES.setdefault("posix_user", _user_scheme())


#: What was denied to pip, which says so only if it is to try again.
_denials = []


def note(error):
    """Remember that a request of pip failed."""
    _, found, reason = str(error).partition("denied by wisp: ")
    if found and reason not in _denials:
        _denials.append(reason)


class Reasons(logging.Filter):
    """Collects the packages that pip could not find or build, from what it logs. Everything is logged as before."""

    def __init__(self):
        super().__init__()
        self.names = []

    def filter(self, record):
        """Note the package that the record is about, if it is about one."""
        found = _NOT_FOUND.search(record.getMessage())
        if found is not None and found[1] not in self.names:
            self.names.append(found[1])
        return True

    def tell(self):
        """Say why each of them cannot be had, as far as it is known."""
        sources = any(name in os.environ for name in _SOURCES)
        for reason in _denials:
            if sources or not reason.startswith("the policy grants no network"):  # the last line says where packages come from
                print(f"wisp: denied: {reason}", file=sys.stderr)
        for name in self.names:
            reason = advice.about_package(name)
            if reason is not None:
                print(f"wisp: {reason}", file=sys.stderr)
        if self.names and not sources:
            print(f"wisp: {_NO_SOURCE}", file=sys.stderr)


#: The variables that say where packages come from.
_SOURCES = ("PIP_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX")

_NO_SOURCE = 'the policy names no index and no folder of wheels: `wisp run --index URL`, or `index` or `wheels` of `[python]` in the policy'

#: Defaults for pip, which its user may override: no question to an index about newer versions of pip, no progress bar, which needs threads,
#: and no TLS of its own.
_SETTINGS = {
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_PROGRESS_BAR": "off",
    "PIP_USE_DEPRECATED": "legacy-certs",
}


def prepare():
    """Before pip runs: its settings, no warning about a TLS that the host speaks, and `Reasons` among its loggers."""
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    if "PIP_INDEX_URL" not in os.environ:
        os.environ.setdefault("PIP_RETRIES", "0")  # a denial stays one
    os.environ.setdefault("PIP_ONLY_BINARY", ",".join(advice.native_packages()))
    import ssl

    sys.modules.setdefault("_ssl", ssl)  # pip uses no TLS without that module; TLS is the host's
    reasons = Reasons()
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(reasons)
    return reasons
