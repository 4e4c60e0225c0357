"""What `-X` and the environment switch on to look at a program: times of imports, traces of memory, tracebacks of crashes."""

import _tracemalloc
import faulthandler
import importlib._bootstrap as machinery
import os
import time

from . import modules

#: How deep the import that runs is within others, and how long those within it took, in nanoseconds.
_depth = _within = 0


class Refused(Exception):
    """A value has no meaning. The text is what CPython ends with."""


def begin(implementation, environment):
    """Switch on what is asked for: the last step before the program."""
    if implementation.get("importtime") or environment.get("PYTHONPROFILEIMPORTTIME"):
        _write("import time: self [us] | cumulative | imported package\n")
        machinery._find_and_load = _timed
    if implementation.get("faulthandler") or environment.get("PYTHONFAULTHANDLER") or implementation.get("dev"):
        faulthandler.enable()
    frames = _frames(implementation, environment)
    if frames:
        _tracemalloc.start(frames)


def _frames(implementation, environment):
    """How many frames of each allocation are kept; 0 for none."""
    wanted = 0
    for value, name in (
        (environment.get("PYTHONTRACEMALLOC"), "PYTHONTRACEMALLOC"),
        (implementation.get("tracemalloc"), "-X tracemalloc=NFRAME"),
    ):
        if value:
            number = "1" if value is True else value
            if not number.isdecimal():
                raise Refused(f"config_init_tracemalloc: {name}: invalid number of frames")
            wanted = int(number)
    return wanted


def _timed(name, import_):
    """Import a module that is not in `sys.modules`, and tell how long that took."""
    global _depth, _within
    outer, _within = _within, 0
    _depth += 1
    began = time.perf_counter_ns()
    try:
        return modules.find_and_load(name, import_)
    finally:
        took = time.perf_counter_ns() - began
        _depth -= 1
        _write(f"import time: {_microseconds(took - _within):9} | {_microseconds(took):10} | {'  ' * _depth}{name}\n")
        _within = outer + took


# As `find_and_load` itself: the tracebacks of imports have no such frame.
_timed.__code__ = _timed.__code__.replace(co_filename=modules.find_and_load.__code__.co_filename)


def _microseconds(nanoseconds):
    return -(-nanoseconds // 1000)


def _write(text):
    """Write to descriptor 2, whatever `sys.stderr` is."""
    try:
        os.write(2, text.encode("utf-8", "backslashreplace"))
    except OSError:
        pass  # it is closed
