"""Tracebacks as CPython prints them: without the frames of this package, which takes the place of C code."""

import itertools
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
    does, wants it. A recursion may have been a million deep, so what is known of the call before is not found out again."""
    first = True
    code = at = place = None
    left_out = False
    while tb is not None:
        frame = tb.tb_frame
        if frame.f_code is not code or tb.tb_lasti != at:
            code, at = frame.f_code, tb.tb_lasti
            left_out = _own(frame)
            place = traceback._get_code_position(code, at)
            if place[0] is None:
                place = (tb.tb_lineno, *place[1:])
        if first or not left_out:
            yield frame, place
        first = False
        tb = tb.tb_next


def _walk_stack(frame):
    """`traceback.walk_stack` without our frames."""
    if frame is None:
        frame = sys._getframe(1)
    for found, line in _standard_walk_stack(frame):
        if not _own(found):
            yield found, line


def _extract(kind, frames, *, limit=None, lookup_lines=True, capture_locals=False):
    """`StackSummary._extract_from_extended_frame_gen`, in which calls at one place that follow each other are one object."""
    some = limit not in (None, traceback.BUILTIN_EXCEPTION_LIMIT) or getattr(sys, "tracebacklimit", None) is not None
    if some or capture_locals:
        return _standard_extract(kind, frames, limit=limit, lookup_lines=lookup_lines, capture_locals=capture_locals)
    counts = []
    found = _standard_extract(kind, _different(frames, counts), lookup_lines=lookup_lines)
    if len(counts) == sum(counts):
        return found
    every = kind()
    for summary, count in zip(found, counts):
        every.extend([summary] * count)
    return every


def _different(frames, counts):
    """The frames that are at another place than the one before; the others are counted."""
    code = place = None
    for frame, positions in frames:
        if frame.f_code is code and positions == place:
            counts[-1] += 1
        else:
            code, place = frame.f_code, positions
            counts.append(1)
            yield frame, positions


def _format(stack, **settings):
    """`StackSummary.format`, which formats what is one object once."""
    most = traceback._RECURSIVE_CUTOFF
    lines, last, count = [], None, 0
    for _, same in itertools.groupby(stack, id):
        same = list(same)
        text = stack.format_frame_summary(same[0], colorize=settings.get("colorize", False))
        if text is None:
            continue
        call = (same[0].filename, same[0].lineno, same[0].name)
        if call != last or None in call:
            _tell_repeated(lines, count - most)
            last, count = call, 0
        lines += [text] * min(len(same), max(0, most - count))
        count += len(same)
    _tell_repeated(lines, count - most)
    return lines


def _tell_repeated(lines, more):
    """Add how many calls are left out, if any are."""
    if more > 0:
        lines.append(f"  [Previous line repeated {more} more time{'s' if more > 1 else ''}]\n")


_standard_walk_stack = traceback.walk_stack
_standard_extract = vars(traceback.StackSummary)["_extract_from_extended_frame_gen"].__func__


def install():
    """Leave our frames out wherever the standard library formats tracebacks, and format those of deep recursions at once."""
    traceback._walk_tb_with_full_positions = _walk_tb
    traceback.walk_stack = _walk_stack
    traceback.StackSummary._extract_from_extended_frame_gen = classmethod(_extract)
    traceback.StackSummary.format = _format
