"""The last step before the snapshot: no object may remember where it was built.

componentize-py runs the interpreter with the standard library at `/python` and our modules at `/0`, …; in a session
they are at `/usr/lib/python3.14`. Every path in code objects, modules and settings is rewritten.
"""

import _imp
import gc
import linecache
import sys
import types

from . import paths

#: The directories of the build, longest first, and the directories of the guest.
_MOVES = (
    ("/python/lib/python3.14/", paths.LIBRARY + "/"),
    ("/python/lib/python314.zip", "/usr/lib/python314.zip"),
    ("/python/share/", "/usr/share/"),
    ("/python/", paths.LIBRARY + "/"),
    ("/bundled/", paths.LIBRARY + "/"),
    ("/world/", paths.LIBRARY + "/"),
    ("/0/_wisp_entry.py", paths.OWN[0] + "_wisp_entry.py"),
    ("/0/", paths.LIBRARY + "/"),
)


def moved(path):
    """The guest's path for a path of the build."""
    for old, new in _MOVES:
        if path.startswith(old):
            return new + path[len(old) :]
    return path


def relocate():
    """Rewrite every path of the build machine."""
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType):
            old = thing.__code__.co_filename
            new = moved(old)
            if new is not old:
                _imp._fix_co_filename(thing.__code__, new)
    for module in list(sys.modules.values()):
        if isinstance(module, types.ModuleType):
            _relocate_module(module)
    settings()


def _relocate_module(module):
    """The attributes of a module that name files."""
    names = module.__dict__
    for name, value in list(names.items()):  # `__file__`, `__cached__`, and names that modules record: `logging._srcfile`, …
        if isinstance(value, str):
            names[name] = moved(value)
    if isinstance(names.get("__path__"), list):
        names["__path__"][:] = [moved(entry) for entry in names["__path__"]]
    specification = names.get("__spec__")
    if specification is None:
        return
    for name in ("origin", "_cached"):
        value = getattr(specification, name, None)
        if isinstance(value, str):
            setattr(specification, name, moved(value))
    if specification.submodule_search_locations is not None:
        specification.submodule_search_locations[:] = [
            moved(entry) for entry in specification.submodule_search_locations
        ]
    for holder, name in ((specification.loader, "path"), (specification.loader_state, "filename")):
        value = getattr(holder, name, None)
        if isinstance(value, str) and not isinstance(holder, type):
            setattr(holder, name, moved(value))


def settings():
    """Give `sys`, `site` and other modules the paths of a session."""
    import site
    import sysconfig

    sys.prefix = sys.exec_prefix = sys.base_prefix = sys.base_exec_prefix = paths.PREFIX
    sys.executable = sys._base_executable = paths.EXECUTABLE
    sys._stdlib_dir = paths.LIBRARY
    sys.path[:] = paths.standard_path()
    sys.path_importer_cache.clear()
    sys.argv = [""]
    sys.orig_argv = []
    linecache.clearcache()
    site.PREFIXES[:] = [paths.PREFIX]
    site.USER_BASE = site.USER_SITE = None
    for name in ("_PREFIX", "_BASE_PREFIX", "_EXEC_PREFIX", "_BASE_EXEC_PREFIX"):
        setattr(sysconfig, name, paths.PREFIX)
    sysconfig._PROJECT_BASE = "/usr/bin"
    sysconfig._CONFIG_VARS = None
    sysconfig._CONFIG_VARS_INITIALIZED = False
