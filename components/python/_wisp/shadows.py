"""The program's own files that are found before modules of the snapshot: the contents of the directories that come before the
standard library in `sys.path`.

At each import the directory's time is read, and the directory is listed if the time has changed, as in CPython's finder.
The finder of the path keeps the listing; this module keeps the names in it that match a module of the snapshot, so that an
import needs one lookup in a set.
"""

import posix
import sys
from importlib.machinery import FileFinder, PathFinder, all_suffixes

from . import paths

#: Names of files and directories that would be found in place of a module of the snapshot, and the name of that module.
_candidates = {}

#: The directories seen: their listing, and the modules of the snapshot for which they may have a file.
_seen = {}

_NONE = frozenset()


def prepare(modules):
    """Before the snapshot: record the modules that have no package."""
    for name in modules:
        _candidates.update((name + suffix, name) for suffix in ("", *all_suffixes()))


def forget():
    """Before the snapshot: forget all directories."""
    _seen.clear()


def names():
    """The modules of the snapshot for which a directory before the standard library may have a file. None if listings cannot
    tell, because an archive comes first or the library is not on the path."""
    found = _NONE
    for entry in sys.path:
        if entry == paths.LIBRARY:
            return found
        if not isinstance(entry, str):
            continue
        finder = _finder(entry)
        if type(finder) is FileFinder:
            here = _listed(finder)
            found = found | here if found else here
        elif finder is not None:
            return None
    return None


def found(wanted):
    """The modules among these for which the program has files."""
    result = set()
    for entry in sys.path:
        if entry == paths.LIBRARY:
            break
        finder = _finder(entry) if isinstance(entry, str) else None
        if finder is None:
            continue
        for name in _listed(finder) & wanted if type(finder) is FileFinder else wanted:
            specification = finder.find_spec(name)
            if specification is not None and specification.loader is not None:
                result.add(name)
    return result


def _finder(entry):
    """The finder of a directory or archive of the path; None if there is none."""
    finder = sys.path_importer_cache.get(entry) if entry else None
    return PathFinder._path_importer_cache(entry) if finder is None else finder


def _listed(finder):
    """The modules of the snapshot for which a directory may have a file; lists the directory if its time has changed."""
    try:
        time = posix.stat(finder.path).st_mtime
    except OSError:
        time = -1
    if time != finder._path_mtime:
        finder._fill_cache()
        finder._path_mtime = time
    listing = finder._path_cache
    seen, here = _seen.get(finder.path, (None, _NONE))
    if seen is not listing:
        here = frozenset(_candidates[name] for name in listing if name in _candidates) if listing else _NONE
        _seen[finder.path] = listing, here
    return here
