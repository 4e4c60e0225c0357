"""Runs inside the guest's interpreter during `build`, once, to compile the library for the base layer.

Reads the tree `library/` beside it and writes `compiled/`: for every module that is not in the snapshot, compiled code
that is used without looking at its source again (the base layer is read-only). It ends with SystemExit, so that
componentize-py makes no component of it.
"""

import importlib.util
import os
import sys
from importlib import _bootstrap_external as loaders

from _wisp import own_ssl  # before all others
import _wisp_sqlite  # before `sqlite3`
from _wisp import paths, warm

HERE = os.path.dirname(__file__)


def compiled(path, source):
    """The content of the `.pyc` file for a module."""
    code = compile(source, f"/usr/lib/{path}", "exec", dont_inherit=True, optimize=0)
    return loaders._code_to_hash_pyc(code, importlib.util.source_hash(source), False)


def main():
    """Compile everything that a session may still import."""
    warm.load()
    present = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    present = {path.removeprefix("/python/lib/python3.14/").removeprefix("/python/") for path in present}
    present = {f"{paths.LIBRARY.removeprefix('/usr/lib/')}/{path}" for path in present}
    for directory, _, names in sorted(os.walk(f"{HERE}/library")):
        for name in sorted(names):
            full = f"{directory}/{name}"
            path = full.removeprefix(f"{HERE}/library/")
            if not name.endswith(".py") or path in present:
                continue
            with open(full, "rb") as file:
                source = file.read()
            try:
                content = compiled(path, source)
            except SyntaxError:
                continue
            where = os.path.dirname(f"{HERE}/compiled/{path}") + "/__pycache__"
            os.makedirs(where, exist_ok=True)
            with open(f"{where}/{name[:-3]}.cpython-314.pyc", "wb") as file:
                file.write(content)
    open(f"{HERE}/done", "w").close()


main()
raise SystemExit("compiled")
