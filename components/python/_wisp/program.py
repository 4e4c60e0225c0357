"""Runs what the command line names: code, a module, a file, or standard input."""

import builtins
import importlib.machinery
import linecache
import os
import runpy
import site
import sys
import textwrap
import types
import zipfile

from . import advice, packages, paths, signals, stdio


def fresh_main():
    """A new, empty `__main__`."""
    main = types.ModuleType("__main__")
    main.__builtins__ = builtins
    main.__loader__ = importlib.machinery.BuiltinImporter
    sys.modules["__main__"] = main
    return main


def run(options):
    """Run the program; return when it ends by itself, and raise what it raises."""
    main = fresh_main()
    if options.mode == "command":
        _run_command(main, options.target, options.flags["optimize"])
    elif options.mode == "module":
        _run_module(options.target)
    elif options.mode == "file":
        _run_file(main, options.target, options)
    elif sys.stdin is None:
        return
    elif options.flags["inspect"] or (sys.stdin.isatty() and not options.explicit_stdin):
        _interact(main, options)
    else:
        _run_stdin(main, options.flags["optimize"])


def goes_on(options):
    """Whether a prompt follows the program: `-i`, or at a terminal `PYTHONINSPECT`, which the program may set."""
    if options.mode == "stdin" or sys.__stdin__ is None:
        return False
    given = not options.flags["ignore_environment"] and os.environ.get("PYTHONINSPECT")
    return bool(options.flags["inspect"] or (given and os.isatty(0)))


def go_on(options):
    """The interactive interpreter in what the program has left."""
    if sys.stdin is None or sys.stdin.closed:
        sys.stdin = stdio.reader()  # `exit()` has closed it
    main = sys.modules["__main__"]
    main.__dict__.pop("__file__", None)
    _interact(main, options, after=True)


class NotStarted(SystemExit):
    """There is no program, and why has been said."""


def _compile(source, name, optimize):
    return compile(source, name, "exec", dont_inherit=True, optimize=min(optimize, 2))


def _run_command(main, source, optimize):
    """`-c`: since 3.14, common indentation is removed."""
    paths.insert_program("")
    if source.lstrip("\n")[:1] in (" ", "\t"):
        source = textwrap.dedent(source)
    code = _compile(source, "<string>", optimize)
    linecache._register_code(code, source, "<string>")
    exec(code, main.__dict__)


def _run_stdin(main, optimize):
    """A script on standard input."""
    paths.insert_program("")
    main.__file__ = "<stdin>"
    try:
        exec(_compile(sys.stdin.buffer.read(), "<stdin>", optimize), main.__dict__)
    finally:
        stdio.flush()


def _run_module(name):
    """`-m`."""
    try:
        directory = os.getcwd()
    except OSError:
        directory = ""
    paths.insert_program(directory)
    refusal = advice.refusal(name)
    if refusal is not None:
        raise SystemExit(refusal)
    if name == "site":
        site.getusersitepackages()
        return site._script()  # run as a file, it would lack what we put into it
    if name == "pip":
        reasons = packages.prepare()
        try:
            return runpy._run_module_as_main(name)
        finally:
            reasons.tell()
    runpy._run_module_as_main(name)


def _run_file(main, name, options):
    """A script, a directory or an archive with a `__main__`, or compiled code."""
    path = os.path.join(os.getcwd(), name)
    if os.path.isdir(path):
        return _run_path(name)
    try:
        # Read once: a pipe (`python3 <(...)`, /dev/stdin) delivers its bytes only once.
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        message = f"[Errno {error.errno}] {error.strerror}"
        print(f"{sys.orig_argv[0]}: can't open file {path!r}: {message}", file=sys.stderr)
        raise NotStarted(2) from None
    if _is_archive(path, source):
        return _run_path(name)
    if not sys.flags.safe_path:
        sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
    main.__file__ = path
    main.__cached__ = None
    if path.endswith(".pyc"):
        main.__loader__ = importlib.machinery.SourcelessFileLoader("__main__", path)
        code = main.__loader__.get_code("__main__")
    else:
        main.__loader__ = importlib.machinery.SourceFileLoader("__main__", path)
        if options.flags["skip_first_line"]:
            source = b"\n" + source.partition(b"\n")[2]
        code = _compile(source, path, options.flags["optimize"])
    try:
        exec(code, main.__dict__)
    finally:
        stdio.flush()


def _run_path(name):
    """The `__main__` of a directory or an archive."""
    sys.path.insert(0, name)
    runpy._run_module_as_main("__main__", False)


def _is_archive(path, source):
    """Whether Python would look for `__main__` in this file."""
    if not source.startswith(b"PK") and not path.endswith((".pyz", ".zip")):
        return False
    return zipfile.is_zipfile(path)


def _interact(main, options, after=False):
    """The interactive interpreter: with the editor of CPython's own if the terminal has settings, else one line at a time.
    `after` a program it says nothing first."""
    if after:
        banner = ""
    else:
        paths.insert_program("")
        more = 'Type "help", "copyright", "credits" or "license" for more information.'
        banner = "" if options.flags["quiet"] else f"Python {sys.version} on {sys.platform}\n{more}"
    if sys.stdin.isatty() and not os.environ.get("PYTHON_BASIC_REPL") and _can_edit():
        from _pyrepl import main as editing

        if editing.CAN_USE_PYREPL:
            site.register_readline()
            if banner:
                print(banner, file=sys.stderr)
            editing.interactive_console(main, options.flags["quiet"], pythonstartup=not after)
            return
        print(editing.FAIL_REASON, file=sys.stderr)
    import code

    console = code.InteractiveConsole(main.__dict__, "<stdin>")
    run = console.runcode

    def shown(compiled):
        linecache._register_code(compiled, "\n".join(console.buffer), "<stdin>")  # for tracebacks
        run(compiled)

    console.runcode = shown
    if not sys.stdin.isatty():
        console.raw_input = lambda prompt="": _next_line(console, prompt)
    console.interact(banner, exitmsg="")


def _next_line(console, prompt):
    """The next line of standard input that is no terminal. The prompt goes to standard error, after what was printed."""
    stdio.flush()
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        if console.buffer and console.buffer[-1]:
            return ""  # the end of a block
        raise EOFError
    return line.removesuffix("\n")


_ENTRIES = (_run_command, _run_stdin, _run_module, _run_file, _run_path, _interact)
signals.entries.update(function.__code__ for function in _ENTRIES)


def _can_edit():
    """Whether standard input is a terminal with settings, whose cursor can be moved."""
    import termios

    try:
        termios.tcgetattr(0)
    except termios.error:
        return False
    return os.environ.get("TERM", "dumb") not in ("", "dumb")
