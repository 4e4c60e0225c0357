"""While the snapshot is made: what each module imports while it is imported itself. `modules` makes use of it."""

import _frozen_importlib
import builtins
import sys

#: By the name of the module, the names in the order of its imports.
imported = {}

_standard = builtins.__import__


def _recording(name, globals=None, locals=None, fromlist=(), level=0):
    """`__import__`, which notes what it is called for."""
    found = _standard(name, globals, locals, fromlist, level)
    importer = globals and globals.get("__spec__")
    if importer is not None and getattr(importer, "_initializing", False):
        full = _frozen_importlib._resolve_name(name, globals["__package__"], level) if level else name
        children = getattr(found, "__all__", ()) if fromlist and "*" in fromlist else fromlist or ()
        imported.setdefault(importer.name, []).extend((full, *(f"{full}.{child}" for child in children)))
    return found


def begin():
    """Note from now on; answers the names of the modules that CPython imported when it started."""
    builtins.__import__ = _recording
    return frozenset(sys.modules)


def end():
    """No more imports are to come."""
    builtins.__import__ = _standard
