"""Checks for signals between the bytecodes of a program: where the host does not set flags, and for a moment after a signal
that came where it could not be delivered.

`sys.monitoring` calls us at jumps and calls; we look at every `_pace`-th call, and adjust the pace so that we look every
few milliseconds. The C handler of `OURS` delivers what arrived: C code calls its function when the program
continues, in the program's frame. The callback itself would be too early: code that runs there can be neither debugged
nor interrupted again.
"""

import functools
import sys
import time
import weakref
from _thread import interrupt_main

#: A signal number that is never sent.
OURS = 64

_TOOL = 4  # for sys.monitoring

_MOST = 128
_SOON, _LATE = 1_000_000, 4_000_000  # nanoseconds

_left = _pace = 1
_looked = 0
_has_come = None


def watch(on, has_come=None):
    """Start or stop checking: `has_come` reports whether a signal arrived."""
    global _left, _pace, _has_come
    monitoring = sys.monitoring
    events = monitoring.events
    watching = monitoring.get_tool(_TOOL) is not None
    if on and not watching:
        _left = _pace = 1
        _has_come = has_come
        monitoring.use_tool_id(_TOOL, "signals")
        monitoring.register_callback(_TOOL, events.JUMP, _at_jump)
        monitoring.register_callback(_TOOL, events.PY_START, _at_start)
        monitoring.set_events(_TOOL, events.JUMP | events.PY_START)
    elif watching and not on:
        monitoring.set_events(_TOOL, 0)
        monitoring.free_tool_id(_TOOL)


def _look():
    """Ask the host; dropping the returned object calls our handler."""
    global _left, _pace, _looked
    now = time.monotonic_ns()
    passed, _looked = now - _looked, now
    if passed < _SOON:
        _pace = min(_MOST, _pace * 2)
    elif passed > _LATE:
        _pace = max(1, _pace // 4)
    _left = _pace
    return _Token() if _has_come() else None


def again():
    """Look at the very next opportunity, because the signal cannot be delivered here. (At the usual pace it might always
    arrive at this place.)"""
    global _left
    _left = 1


def _at_jump(code, here, there):
    global _left
    _left -= 1
    if not _left:
        token = _look()  # noqa: F841 (dropped on the way out)


def _at_start(code, here):
    global _left
    _left -= 1
    if not _left:
        token = _look()  # noqa: F841 (dropped on the way out)


#: What `sys.monitoring` calls.
CALLBACKS = (_at_jump, _at_start)


class _Number(int):
    """Our number, with an attribute whose lookup makes C code call our handler."""

    trip = property(interrupt_main)


class _Token:
    """When this object is dropped with the frame of the callback, our handler is due."""

    __slots__ = ("__weakref__",)

    def __init__(self):
        _tokens[:] = [weakref.ref(self, _trip)]


_tokens = []
_trip = functools.partial(getattr, _Number(OURS), "trip")
