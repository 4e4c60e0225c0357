"""What of CPython's C code ends the process here, replaced by the library's own Python."""

import importlib.util
import operator
import sys


def _methodcaller():
    """`operator.methodcaller` in Python. In C its function for the garbage collector has another type than the collector calls it by, which
    WebAssembly refuses: the process ended when one became garbage."""
    fast = sys.modules["_operator"]
    sys.modules["_operator"] = None
    try:
        spec = importlib.util.find_spec("operator")
        plain = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(plain)
    finally:
        sys.modules["_operator"] = fast
    return plain.methodcaller


def install():
    """Put it into `operator`."""
    operator.methodcaller = sys.modules["_operator"].methodcaller = _methodcaller()
