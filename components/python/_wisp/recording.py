"""Records, while the snapshot is made, what each module imports while it is being imported. `modules` uses the record."""

import _frozen_importlib
import _frozen_importlib_external
import builtins
import sys

#: By the name of a module: the names that it imports, in order.
imported = {}

_standard = builtins.__import__

#: The names of modules that were already imported.
_before = []


def _recording(name, globals=None, locals=None, fromlist=(), level=0):
    """`__import__`, which records its calls."""
    found = _standard(name, globals, locals, fromlist, level)
    importer = globals and globals.get("__spec__")
    if importer is not None and getattr(importer, "_initializing", False):
        full = _frozen_importlib._resolve_name(name, globals["__package__"], level) if level else name
        children = getattr(found, "__all__", ()) if fromlist and "*" in fromlist else fromlist or ()
        imported.setdefault(importer.name, []).extend((full, *(f"{full}.{child}" for child in children)))
    return found


def begin():
    """Record from now on."""
    _before.extend(sys.modules)
    builtins.__import__ = _recording


def catch_up():
    """Read what those modules import that componentize-py had imported before."""
    import ast

    for name in _before:
        specification = getattr(sys.modules[name], "__spec__", None)
        if type(getattr(specification, "loader", None)) is not _frozen_importlib_external.SourceFileLoader:
            continue
        for node in ast.parse(specification.loader.get_data(specification.origin)).body:
            if isinstance(node, ast.Import):
                imported.setdefault(name, []).extend(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                full = _frozen_importlib._resolve_name(node.module or "", specification.parent, node.level) if node.level else node.module
                imported.setdefault(name, []).extend([full, *(f"{full}.{alias.name}" for alias in node.names)])


def end():
    """Stop recording: no more imports follow."""
    builtins.__import__ = _standard


def closure(name, ready):
    """All modules of `ready` that the import of a module brings with it, without the module itself."""
    found, pending = {}, [name]
    while pending:
        current = pending.pop()
        for needed in (*imported.get(current, ()), current):
            while needed:
                if needed in ready and needed not in found:
                    found[needed] = None
                    pending.append(needed)
                needed = needed.rpartition(".")[0]
    found.pop(name, None)
    return sorted(found)
