"""The end of a process: uncaught exceptions, exit functions, flushing, and the status."""

import atexit
import builtins
import gc
import logging
import sys
import threading
import weakref

from wit_world.imports import process

from . import advice, modules, signals, threads, tracebacks

#: The status when standard output could not be flushed, as CPython has it.
_FLUSH_FAILED = 120

#: The status that represents an uncaught KeyboardInterrupt: 130, reported by the signal itself.
INTERRUPTED = 0x100 | 130


def status_of(exception):
    """Report what ended the program and return its exit status."""
    if isinstance(exception, SystemExit):
        return _status_of_exit(exception.code)
    return report(exception)


def report(exception):
    """Report an exception that nobody caught, and return the exit status."""
    tracebacks.strip_head(exception)
    advice.add_note(exception)
    sys.last_exc = sys.last_value = exception
    sys.last_type, sys.last_traceback = type(exception), exception.__traceback__
    try:
        if hasattr(sys, "excepthook"):
            sys.excepthook(type(exception), exception, exception.__traceback__)
        else:
            print("sys.excepthook is missing", file=sys.stderr)
            sys.__excepthook__(type(exception), exception, exception.__traceback__)
    except SystemExit as leaving:
        return _status_of_exit(leaving.code)
    except BaseException as failure:
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(failure), tracebacks.strip_head(failure), failure.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(exception), exception, exception.__traceback__)
    return INTERRUPTED if isinstance(exception, KeyboardInterrupt) else 1


def _status_of_exit(code):
    """The status of `sys.exit(code)`."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    if sys.stderr is not None:
        print(code, file=sys.stderr)
    return 1


def finish(status, preloaded):
    """Do what CPython does when it shuts down, then end the process. Does not return."""
    interrupted = status == INTERRUPTED
    for work, step in (
        (threading._threading_atexits or threads.others, threading._shutdown),
        (atexit._ncallbacks(), atexit._run_exitfuncs),
        (logging._handlerList, logging.shutdown),
        (weakref.finalize._registry, weakref.finalize._exitfunc),
    ):
        try:
            if work:
                step()
        except BaseException as failure:
            sys.__excepthook__(type(failure), tracebacks.strip_head(failure), failure.__traceback__)
    failed = _flush()
    _clear(preloaded)
    if (_flush() or failed) and status == 0:
        status = _FLUSH_FAILED
    _flush_own()
    if interrupted:
        signals.end_by_interrupt()
    process.exit(status & 0xFF)


def _flush():
    """Flush the standard streams; return True if standard output could not be written."""
    failed = False
    stdout = sys.stdout
    if stdout is not None and not getattr(stdout, "closed", False):
        try:
            stdout.flush()
        except BaseException as failure:
            failed = True
            _report_flush(stdout, failure)
            sys.stdout = None
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except BaseException:
        failed = True
    return failed


def _flush_own():
    """Write out what is left in the streams of the start, in whose place the program may have put others, or None."""
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None:
                stream.flush()
        except BaseException:
            pass  # CPython ignores it too: the streams are freed


def _report_flush(stream, failure):
    """What CPython says when the last flush fails."""
    if sys.stderr is None:
        return
    try:
        print(f"Exception ignored while flushing sys.stdout:\n{type(failure).__name__}: {failure}", file=sys.stderr)
    except BaseException:
        pass  # there is nowhere left to report it


def _clear(preloaded):
    """Release the program's own objects, so that files it left open are written and finalizers run."""
    own = [sys.modules.get("__main__")]
    for name in reversed(sys.modules):  # newest first: the objects of the snapshot are at the other end
        if name in preloaded:
            break
        if not modules.is_of_image(name, sys.modules[name]):
            own.append(sys.modules[name])
    for module in own:
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict):
            continue
        for first in (True, False):
            for name in [n for n in names if isinstance(n, str) and n.startswith("_") == first]:
                if name != "__builtins__":
                    names[name] = None
    sys.last_exc = sys.last_value = sys.last_type = sys.last_traceback = None
    vars(builtins).pop("_", None)
    gc.callbacks.clear()  # as in CPython, whose last collections call none
    # Objects that were never collected are young; a full collection also examines much that the program does not have.
    gc.collect(2 if gc.get_objects(1) or gc.get_objects(2) else 0)


def prepare():
    """Before the snapshot: make the library's exit functions, which are always registered, run only if they have work to do."""
    atexit.unregister(logging.shutdown)
    atexit.unregister(weakref.finalize._exitfunc)
    weakref.finalize._registered_with_atexit = True
    if atexit._ncallbacks():
        raise RuntimeError(f"{atexit._ncallbacks()} exit functions that nobody knows of")
