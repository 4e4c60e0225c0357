"""Tracebacks as CPython prints them: without the frames of this package, which takes the place of C code."""

import sys
import traceback

from . import modules, paths


def _own(frame):
    code = frame.f_code
    return code.co_filename.startswith(paths.OWN) or code is modules.find_and_load.__code__


def strip_head(exception):
    """Remove the frames that started the program from the exceptions of a program that ended."""
    seen = set()
    pending = [exception]
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        trace = current.__traceback__
        while trace is not None and _own(trace.tb_frame):
            trace = trace.tb_next
        # Not by assignment: the contract's own errors, which are the causes of ours, are frozen.
        BaseException.with_traceback(current, trace)
        pending += [current.__cause__, current.__context__]
    return exception


def _walk_tb(tb):
    """`traceback._walk_tb_with_full_positions` without our frames. The first frame stays: a caller that begins there, as pytest
    does, wants it."""
    first = True
    for frame, positions in _standard_walk_tb(tb):
        if first or not _own(frame):
            yield frame, positions
        first = False


def _walk_stack(frame):
    """`traceback.walk_stack` without our frames."""
    if frame is None:
        frame = sys._getframe(1)
    for found, line in _standard_walk_stack(frame):
        if not _own(found):
            yield found, line


_standard_walk_tb = traceback._walk_tb_with_full_positions
_standard_walk_stack = traceback.walk_stack


def install():
    """Leave our frames out wherever the standard library formats tracebacks."""
    traceback._walk_tb_with_full_positions = _walk_tb
    traceback.walk_stack = _walk_stack
