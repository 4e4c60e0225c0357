"""Files of the program's own that are found before modules of the snapshot: what stands in the directories that `sys.path`
has before the standard library.

A directory is asked for its time at each import and listed when that has changed, as CPython's finder does it. The
finder of the path keeps the listing; here stands what of it has a name of the snapshot, so that an import needs one look
into a set.
"""

import posix
import sys
from importlib.machinery import FileFinder, PathFinder, all_suffixes

from . import paths

#: Names of files and directories that would be found in place of a module of the snapshot, and that module's name.
_candidates = {}

#: The directories seen: their listing, and the modules of the snapshot that it may have something for.
_seen = {}

_NONE = frozenset()


def prepare(modules):
    """Before the snapshot: the modules that have no package."""
    for name in modules:
        _candidates.update((name + suffix, name) for suffix in ("", *all_suffixes()))


def forget():
    """Before the snapshot: no directory was seen."""
    _seen.clear()


def names():
    """The modules of the snapshot that a directory before the standard library may have something for. None when they
    cannot be told from listings, because an archive comes first or the library is not on the path."""
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
    """Which of these modules the program has files for."""
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
    """The finder of a directory or archive of the path; None where there is none."""
    finder = sys.path_importer_cache.get(entry) if entry else None
    return PathFinder._path_importer_cache(entry) if finder is None else finder


def _listed(finder):
    """The modules of the snapshot that a directory may have something for; lists it if its time is another than before."""
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
