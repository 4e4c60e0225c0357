"""Replaces certifi: in wisp the host verifies certificates, so there is no bundle of roots here.

A policy adds roots of its own with `ca = "file"` in `[network]`.
"""

import sys as _sys

__version__ = "2026.10.18"

#: The path that libraries look for: it must be a file that exists.
_WHERE = f"/usr/lib/python3.{_sys.version_info.minor}/certifi.py"


def where():
    """A file, for libraries that insist on one; nothing reads certificates from it."""
    return _WHERE


def contents():
    """The bundle: none."""
    return ""
