"""The start of a process: renews what the snapshot cannot know, runs the program, and ends the process."""

import os
import posix
import site
import sys
import warnings
import zoneinfo
from importlib import _bootstrap_external as loaders

from wit_world.imports import environment as host_environment
from wit_world.imports import process

from . import descriptors, diagnostics, ending, options, paths, processes, program, rich, signals, spelling, stdio, venvs, zones

#: The modules of the snapshot: they stay when a program ends.
preloaded = frozenset()

#: The default environment of a command, as the host supplies it and as the snapshot has it.
environment_of_image = [
    b"HOME=/home/user",
    b"LANG=C.UTF-8",
    b"LOGNAME=user",
    b"PATH=/usr/bin:/home/user/.local/bin",
    b"PWD=/home/user",
    b"SHELL=/usr/bin/sh",
    b"TERM=dumb",
    b"TMPDIR=/tmp",
    b"USER=user",
]


def main():
    """Run `python3` to the end of the process."""
    arguments = [os.fsdecode(argument) for argument in process.arguments()] or ["python3"]
    settings = _take_environment(process.environment())
    processes.before_start = None
    rich.leave()
    process.ignore_broken_pipe(True)
    signals.begin()
    numbers = descriptors.adopt_inherited()
    _enter_directory()
    sys.orig_argv = list(arguments)
    stdio.open_standard(numbers, False, settings)
    try:
        asked = options.parse(arguments[1:])
    except options.UsageError as error:
        print(f"{error}\n{options.USAGE}\nTry `python -h' for more information.", file=sys.stderr)
        ending.finish(2, preloaded)
    ending.finish(_run(asked, numbers, settings), preloaded)


def _run(asked, numbers, settings):
    """Do what the command line asks for; return the exit status."""
    if asked.mode == "help":
        print(options.HELP, end="")
        return 0
    if asked.mode == "version":
        print(f"Python {sys.version}" if asked.version > 1 else f"Python {sys.version.split()[0]}")
        return 0
    if asked.flags["ignore_environment"] and settings:
        settings = {name: value for name, value in settings.items() if not name.startswith("PYTHON")}
        stdio.open_standard(numbers, False, settings)
    _configure(asked, numbers, settings)
    try:
        diagnostics.begin(asked.implementation, settings or {})
    except diagnostics.Refused as reason:
        print(f"Fatal Python error: {reason}\nPython runtime state: preinitialized\n", file=sys.stderr)
        return 1
    ends = _ends_of(program.run, asked)
    if program.goes_on(asked):
        # `SystemExit` is then an exception like others.
        if ends and not isinstance(ends[0], program.NotStarted):
            ending.report(ends.pop())
        ends = _ends_of(program.go_on, asked)
    # Outside of the handler: to `sys.excepthook`, no exception is being handled.
    return ending.status_of(ends.pop()) if ends else 0


def _ends_of(run, asked):
    """Run this; return a list of the exception that ended it, which nothing else holds."""
    ends = []
    try:
        run(asked)
    except BaseException as exception:
        ends.append(exception)
    return ends


def _take_environment(pairs):
    """Make `os.environ` match the host's environment; return the interpreter's own variables, None if there are none."""
    if pairs == environment_of_image:
        return None
    set_environment(pairs)
    mine = ("PYTHON", "LC_", "LANG")
    return {name: value for name, value in os.environ.items() if name.startswith(mine)}


def set_environment(pairs):
    """Make `os.environ` match the host's environment byte for byte."""
    data = os.environ._data
    data.clear()
    for pair in pairs:
        name, _, value = pair.partition(b"=")
        data[name] = value
    zone = data.get(b"TZ")
    if zone is not None:
        zones.begin(zone)


def _enter_directory():
    """The working directory: the C library starts at `/`."""
    directory = spelling.read(host_environment.initial_cwd() or "") or os.environ.get("PWD") or "/"
    try:
        if directory != posix.getcwd():
            posix.chdir(directory)
    except OSError:
        pass  # it is gone: the program starts at `/`, and finds out when it opens something


def _configure(asked, numbers, settings):
    """Flags, paths, warnings: from the command line first, then from PYTHON* variables."""
    environment = settings or {}
    flags = asked.flags
    for name, variable in (
        ("unbuffered", "PYTHONUNBUFFERED"),
        ("dont_write_bytecode", "PYTHONDONTWRITEBYTECODE"),
        ("no_user_site", "PYTHONNOUSERSITE"),
        ("safe_path", "PYTHONSAFEPATH"),
        ("optimize", "PYTHONOPTIMIZE"),
    ):
        value = environment.get(variable)
        if value:
            number = int(value) if name == "optimize" and value.isdigit() else 1
            flags[name] = max(flags[name], number)
    if flags["unbuffered"]:
        stdio.open_standard(numbers, True, settings)
    sys.argv = asked.argv
    sys.dont_write_bytecode = bool(flags["dont_write_bytecode"])
    sys._xoptions = asked.implementation
    _replace_flags(flags, asked.implementation, environment)
    if flags["no_user_site"]:
        site.ENABLE_USER_SITE = False
    sys.path[:] = paths.start_path(asked, environment)
    venvs.enter(sys.orig_argv[0], asked)
    if flags["optimize"]:
        _optimize_imports(flags["optimize"])
    wanted = [entry for entry in environment.get("PYTHONWARNINGS", "").split(",") if entry] + asked.warnings
    if asked.implementation.get("dev") or environment.get("PYTHONDEVMODE"):
        wanted.insert(0, "default")
    if wanted:
        sys.warnoptions[:] = wanted
        warnings._processoptions(wanted)
    digits = asked.implementation.get("int_max_str_digits") or environment.get("PYTHONINTMAXSTRDIGITS")
    if isinstance(digits, str) and digits.isdigit():
        sys.set_int_max_str_digits(int(digits))
    if "PYTHONBREAKPOINT" in environment:
        posix.putenv("PYTHONBREAKPOINT", environment["PYTHONBREAKPOINT"])  # `sys.breakpointhook` asks the C library
    if environment.get("PYTHONTZPATH"):
        zoneinfo.reset_tzpath(environment["PYTHONTZPATH"].split(":"))


def _replace_flags(flags, implementation, environment):
    """`sys.flags` as CPython would have set them."""
    known = {name: value for name, value in flags.items() if value and hasattr(sys.flags, name)}
    if not known and not implementation:
        return
    if "inspect" in known:
        known["interactive"] = known["inspect"]
    if "safe_path" in known:
        known["safe_path"] = True
    if implementation.get("dev"):
        known["dev_mode"] = True
    if implementation.get("utf8"):
        known["utf8_mode"] = 1
    sys.flags = Flags(sys.flags, known)


class Flags:
    """`sys.flags` with some of its fields changed; Python code cannot create the real type."""

    __match_args__ = sys.flags.__match_args__

    def __init__(self, before, changed):
        for name in dir(before):  # some fields are not among the tuple's
            value = getattr(before, name)
            if name[0] != "_" and not callable(value):
                object.__setattr__(self, name, changed.get(name, value))

    def __setattr__(self, name, value):
        raise AttributeError("readonly attribute")

    def __repr__(self):
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"sys.flags({fields})"


def _optimize_imports(level):
    """Apply `-O` to modules that are imported from now on."""
    loaders.SourceLoader.source_to_code.__kwdefaults__["_optimize"] = min(level, 2)
