"""Linux's errors in the data image. In its base, much is imported before `_wisp`, and keeps WASI's numbers."""

import errno
import functools
import gc
import sys
import types

from _wisp import linux_errors


def install():
    """Put them in place, in what is imported too. Comes before all imports but those of the base."""
    gc.unfreeze()  # what the base froze: a table is looked for among it
    wasi = {name: number for name, number in vars(errno).items() if type(number) is int}
    linux_errors.install()
    for module in [thing for thing in sys.modules.values() if type(thing) is types.ModuleType and thing is not errno]:
        _renumber(vars(module), vars(module).__setitem__, wasi)
        for cls in [thing for thing in vars(module).values() if type(thing) is type and thing.__module__ == module.__name__]:
            _renumber(vars(cls), functools.partial(setattr, cls), wasi)


def _renumber(names, put, wasi):
    """Replace numbers that have the name of their error, and collections of them that are called so (`socket._blocking_errnos`)."""
    for name, value in list(names.items()):
        known = name.removeprefix("_")
        if type(value) is int and wasi.get(known) == value and hasattr(errno, known):
            put(name, getattr(errno, known))
        elif type(value) in (set, frozenset, tuple) and "errnos" in name.lower():
            put(name, type(value)(_linux(number, wasi) for number in value))


def _linux(number, wasi):
    """Return Linux's number of one of WASI's."""
    return next((getattr(errno, name) for name, known in wasi.items() if known == number and hasattr(errno, name)), number)
