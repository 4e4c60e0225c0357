"""Evaluations: cells run one after the other in one `__main__`, as in a notebook. Their threads end with them.

A fresh process finds everything made: namespace, streams, environment. Its first cell calls the host only to write its
output. Between two cells the process holds no handles of the host except those that programs hold and, once a path
has been used, the directory `/` as the first handle (`descriptors.hold_root`).
"""

import __future__

import ast
import asyncio
import builtins
import linecache
import os
import posix
import sys
import traceback

from wit_world.exports.evaluation import Failure, Frame, Outcome, Value

from . import chance, ending, modules, parking, paths, processes, program, rich, signals, spelling, start, stdio, threads, tracebacks, zones

#: Compiled code inherits the future statements of the cells before it.
_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag
_COROUTINE = 0x80
_CODE = type((lambda: None).__code__)

#: A cell of one line that begins with one of these is never an expression.
_STATEMENTS = frozenset(
    """assert async await break class continue def del for from global if import match nonlocal pass raise return try
    type while with""".split()
)

#: The namespace of the cells, the number of the last cell, the compiler flags, and the loop for `await`.
_module = _main = None
_count = 0
_flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_loop = None

#: Whether the cell defines a function, of which a traceback may show lines later.
_lasting = False

#: The streams and arguments of the image; programs may replace them.
_stdout = _stderr = _argv = None

#: The environment that the host last reported: `NAME=value`, each with a NUL after it.
_environment = b"".join(pair + b"\0" for pair in start.environment_of_image)

#: Searched like any other directory, whether it exists or not.
_USER_PACKAGES = paths.user_packages("/home/user/.local")


def prepare():
    """Before the snapshot: prepare what the first cell finds."""
    global _module, _main, _stdout, _stderr, _argv
    _module = program.fresh_main()
    _main = _module.__dict__
    _stdout, _stderr = sys.stdout, sys.stderr
    _argv = [""]
    restart()


def restart():
    """Before the snapshot: reset everything, as if no cell and no command had run."""
    global _count, _flags
    _count, _flags = 0, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    sys.modules["__main__"] = _module
    sys.argv = _argv
    sys.path[:] = ["", *paths.STANDARD, _USER_PACKAGES, *paths.PACKAGES]
    processes.before_start = flush
    linecache.clearcache()
    for name in ("last_exc", "last_type", "last_value", "last_traceback"):
        if hasattr(sys, name):
            delattr(sys, name)
    vars(builtins).pop("_", None)
    rich.attend()  # here and not in the first cell: a new name among the built-in ones makes CPython look up all of them again


def evaluate(source, setting):
    """Evaluate a cell and return the outcome."""
    global _count
    lost = [] if setting is None else _begin(setting)
    _count += 1
    name = f"<cell {_count}>"
    value = error = status = None
    try:
        found = _run(source, name)
        if found is not None:
            value = _show(found)
        if not _lasting:
            # Its lines are not shown any more: an interpreter for a hundred thousand cells keeps none of them.
            linecache.cache.pop(name, None)
    except SystemExit as leaving:
        status = ending.status_of(leaving)
        _reopen_input()
    except BaseException as exception:
        error = _report(exception)
    if threads.others:
        lost = lost + parking.end_threads()
    error = _flush(sys.stdout) or error
    _flush(sys.stderr)
    if sys.stdout is not _stdout or sys.stderr is not _stderr:
        _flush(_stdout)
        _flush(_stderr)
    outcome = Outcome(_count, value, error, status, lost)
    if signals.pending:
        signals.forget_interrupt()  # last: what has come until here was for this evaluation
    return outcome


def _run(source, name):
    """Run the cell and return the value of its last expression."""
    global _flags, _lasting
    _lasting = False
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    if _is_expression(source):
        try:
            code = compile(source, name, "eval", _flags, True)
        except SyntaxError:
            pass  # it may be valid as a statement; if not, that error message is the one to show
        else:
            return _execute(code)
    tree = compile(source, name, "exec", _flags | ast.PyCF_ONLY_AST, True)
    last = tree.body.pop().value if tree.body and type(tree.body[-1]) is ast.Expr else None
    if tree.body:
        code = compile(tree, name, "exec", _flags, True)
        _flags |= code.co_flags & _FUTURES
        _execute(code)
    return None if last is None else _execute(compile(ast.Expression(last), name, "eval", _flags, True))


def _is_expression(source):
    """Whether to try the cell as one expression first, which is cheaper."""
    if "\n" in source or ";" in source or "#" in source:
        return False
    head = source.partition("(")[0]
    return "=" not in head and head.partition(" ")[0] not in _STATEMENTS


def _execute(code):
    """Run compiled code in the namespace of the cells; top-level `await` runs on a loop that stays."""
    global _lasting
    for constant in code.co_consts:  # not `any`, which would start a generator for each cell
        if type(constant) is _CODE:
            _lasting = True
    if not code.co_flags & _COROUTINE:
        return eval(code, _main)
    global _loop
    if _loop is None or _loop.is_closed():
        modules.bring("asyncio")
        _loop = asyncio.new_event_loop()
    try:
        return _loop.run_until_complete(eval(code, _main))
    except BaseException as exception:
        trace = exception.__traceback__
        while trace is not None and trace.tb_frame.f_code is not code:
            trace = trace.tb_next
        raise exception.with_traceback(trace) from None


signals.entries.add(_execute.__code__)


def _show(value):
    """The value as an outcome shows it, also kept as `_`; if the program has its own display hook, that hook shows it."""
    if sys.displayhook is not sys.__displayhook__:
        sys.displayhook(value)
        return None
    builtins._ = None
    shown = Value(rich.text(repr(value)), rich.forms(value))
    builtins._ = value
    return shown


def _report(exception):
    """Report an uncaught exception on standard error, and return it as the contract has it."""
    ending.status_of(exception)
    return _failure(exception)


def _failure(exception):
    """An exception as the contract has it."""
    name, message = type(exception).__name__, ""
    try:
        message = str(exception)
        report = "".join(traceback.format_exception(exception))
    except BaseException as failure:  # a `__str__` of the program's own may raise more than an Exception
        report = f"{name}: <{type(failure).__name__} while it was shown>\n"
    return Failure(rich.text(name), rich.text(message), _frames(exception), rich.text(report))


def _frames(exception):
    """The calls that led to an exception, the outermost first."""
    found = traceback.extract_tb(exception.__traceback__)
    return [Frame(rich.text(call.filename), call.lineno or 0, rich.text(call.name), rich.text(call.line) if call.line else None) for call in found]


def _reopen_input():
    """`exit` closes standard input, which suits a console; here the next cell may read it."""
    if sys.stdin is sys.__stdin__ and sys.stdin is not None and sys.stdin.closed:
        sys.stdin = sys.__stdin__ = stdio.reader()


def _flush(stream):
    """Write what is buffered; return the reason if that failed."""
    if stream is None or getattr(stream, "closed", False):
        return None
    try:
        stream.flush()
    except BaseException as failure:
        tracebacks.strip_head(failure)
        return _failure(failure)
    return None


def flush():
    """Write the program's output so far, so that the output of a child process that starts now comes after it."""
    _flush(sys.stdout)
    _flush(sys.stderr)


def take_over(handles):
    """Leave the handles that a copy begins with to the C library: the numbers are its own, and it holds them."""
    for descriptor in handles:
        descriptor.finalizer.detach()


def _begin(setting):
    """Prepare the first cell of a process, or of a copy of one; return what could not be restored."""
    take_over(setting.handles)
    if setting.environment != _environment:
        _change_environment(setting.environment)
    directory = setting.working_directory
    if directory is not None and spelling.read(directory) != posix.getcwd():
        try:
            posix.chdir(spelling.read(directory))
        except OSError:
            pass  # it is gone: the cells find out when they open something
    if setting.entropy is not None:
        chance.renew(setting.entropy)
    if signals.flagged is not setting.signal_flags:
        signals.flagged = setting.signal_flags
    if not setting.resumed:
        return []
    signals.renew()
    return parking.resume()


def _change_environment(block):
    """Apply the changes since the environment was last reported; values that cells set themselves stay."""
    global _environment
    before, after = (dict(pair.partition(b"=")[::2] for pair in pairs.split(b"\0")[:-1]) for pairs in (_environment, block))
    _environment = block
    for name in before.keys() - after.keys():
        os.environ._data.pop(name, None)
    os.environ._data.update((name, value) for name, value in after.items() if before.get(name) != value)
    if before.get(b"TZ") != after.get(b"TZ"):
        zones.begin(after.get(b"TZ"))
    extra = after.get(b"PYTHONPATH")
    if extra != before.get(b"PYTHONPATH") and extra:
        sys.path[1:1] = [entry for entry in os.fsdecode(extra).split(":") if entry and entry not in sys.path]


def park():
    """Get ready for a snapshot; return what a copy will lack."""
    flush()
    return parking.park()
