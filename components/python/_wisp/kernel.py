"""The kernel: cells evaluated one after the other in one `__main__`, as a notebook does it.

A fresh process finds everything made: namespace, streams, environment. Its first cell costs no call of the host but
the writing of its output. Between two cells the process holds no handles of the host except what programs hold, and
the directory `/` as the first of all, once anything has touched a path (`descriptors.hold_root`).
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

from wit_world.exports.kernel import Outcome

from . import chance, ending, modules, parking, paths, processes, program, signals, start, stdio, tracebacks

#: Compiled code keeps the future statements of the cells before it.
_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag
_COROUTINE = 0x80

#: What a cell of one line never starts with when it is an expression.
_STATEMENTS = frozenset(
    """assert async await break class continue def del for from global if import match nonlocal pass raise return try
    type while with""".split()
)

#: The namespace of the cells, the number of the last one, the flags of the compiler, the loop of `await`.
_module = _main = None
_count = 0
_flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_loop = None

#: The streams and arguments of the image; programs may put others in their place.
_stdout = _stderr = _argv = None

#: The environment as the host told it last.
_environment = start.environment_of_image

#: Searched like any other directory, whether it exists or not.
_USER_PACKAGES = "/home/user/.local/lib/python3.14/site-packages"


def prepare():
    """Before the snapshot: what the first cell finds."""
    global _module, _main, _stdout, _stderr, _argv
    _module = program.fresh_main()
    _main = _module.__dict__
    _stdout, _stderr = sys.stdout, sys.stderr
    _argv = [""]
    restart()


def restart():
    """Before the snapshot: as if no cell had been, and no command."""
    global _count, _flags
    _count, _flags = 0, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    sys.modules["__main__"] = _module
    sys.argv = _argv
    sys.path[:] = ["", paths.LIBRARY, _USER_PACKAGES, paths.SITE_PACKAGES]
    processes.before_start = flush
    linecache.clearcache()
    for name in ("last_exc", "last_type", "last_value", "last_traceback"):
        if hasattr(sys, name):
            delattr(sys, name)
    vars(builtins).pop("_", None)


def evaluate(source, setting):
    """Evaluate a cell; answers the outcome."""
    global _count
    lost = [] if setting is None else _begin(setting)
    _count += 1
    name = f"<cell {_count}>"
    value = error = status = None
    try:
        found = _run(source, name)
        if found is not None:
            value = _show(found)
    except SystemExit as leaving:
        status = ending.status_of(leaving)
        _reopen_input()
    except BaseException as exception:
        error = _report(exception)
    error = _flush(sys.stdout) or error
    _flush(sys.stderr)
    if sys.stdout is not _stdout or sys.stderr is not _stderr:
        _flush(_stdout)
        _flush(_stderr)
    return Outcome(value, error, status, lost)


def _run(source, name):
    """Run the cell; answers the value of its last expression."""
    global _flags
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    if _is_expression(source):
        try:
            code = compile(source, name, "eval", _flags, True)
        except SyntaxError:
            pass  # as a statement it may be right, and if not its message is the one to show
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
    """Whether it is worth trying the cell as one expression, which is cheaper."""
    if "\n" in source or ";" in source or "#" in source:
        return False
    head = source.partition("(")[0]
    return "=" not in head and head.partition(" ")[0] not in _STATEMENTS


def _execute(code):
    """Run compiled code in the namespace of the cells; what awaits at top level runs on a loop of the kernel."""
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


def _show(value):
    """The value as an outcome shows it, and kept as `_`; a display hook of the program's own shows it itself."""
    if sys.displayhook is not sys.__displayhook__:
        sys.displayhook(value)
        return None
    builtins._ = None
    text = _text(repr(value))
    builtins._ = value
    return text


def _text(text):
    """Text that the host can take: lone surrogates escaped."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode()


def _report(exception):
    """Report an uncaught exception on standard error; answers the report."""
    ending.status_of(exception)
    try:
        return _text("".join(traceback.format_exception(exception)))
    except BaseException as failure:  # a `__str__` of the program's own that fails worse than by an Exception
        return f"{type(exception).__name__}: <{type(failure).__name__} while it was shown>\n"


def _reopen_input():
    """`exit` closes standard input, for a console's sake; here the next cell may read."""
    if sys.stdin is sys.__stdin__ and sys.stdin is not None and sys.stdin.closed:
        sys.stdin = sys.__stdin__ = stdio.reader()


def _flush(stream):
    """Hand over what is buffered; answers why that failed."""
    if stream is None or getattr(stream, "closed", False):
        return None
    try:
        stream.flush()
    except BaseException as failure:
        tracebacks.strip_head(failure)
        return _text("".join(traceback.format_exception(failure)))
    return None


def flush():
    """Hand over what the program has written: a child process that starts now writes after it."""
    _flush(sys.stdout)
    _flush(sys.stderr)


def _begin(setting):
    """The first cell of a process, or of a copy of one; answers what could not be brought back."""
    for descriptor in setting.handles:
        descriptor.finalizer.detach()  # the numbers are the C library's, which holds them
    if not setting.resumed:
        sys.argv = _argv
    if setting.environment != _environment:
        _change_environment(setting.environment)
    directory = setting.working_directory
    if directory is not None and directory != posix.getcwd():
        try:
            posix.chdir(directory)
        except OSError:
            pass  # it is gone: the cells see so by what they open
    if setting.entropy is not None:
        chance.renew(setting.entropy)
    if not setting.resumed:
        return []
    signals.renew()
    return parking.resume()


def _change_environment(pairs):
    """Make the changes from the environment that was told last; what cells set themselves stays."""
    global _environment
    before, after = (dict(pair.partition(b"=")[::2] for pair in block) for block in (_environment, pairs))
    _environment = pairs
    for name in before.keys() - after.keys():
        os.environ._data.pop(name, None)
    os.environ._data.update((name, value) for name, value in after.items() if before.get(name) != value)
    extra = after.get(b"PYTHONPATH")
    if extra != before.get(b"PYTHONPATH") and extra:
        sys.path[1:1] = [entry for entry in os.fsdecode(extra).split(":") if entry and entry not in sys.path]


def park():
    """Get ready for a snapshot; answers what a copy will not have."""
    flush()
    return parking.park()
