"""The command line of `sqlite3`."""

import os
import sqlite3
import sys

from . import commands, help
from .shell import Leave, Shell

_MODES = "ascii box column csv html json line list markdown quote table tabs".split()
_VALUES = ("separator", "newline", "nullvalue", "init", "cmd", "vfs", "mmap", "maxsize", "nonce")
_IGNORED = ("stats", "nofollow", "safe", "memtrace", "append")


def main(arguments):
    """Run the program; return its status."""
    shell = Shell()
    try:
        status = _run(shell, arguments)
    except Leave as leave:
        status = leave.args[0]
    except KeyboardInterrupt:
        status = 130
    try:
        shell.restore()
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os._exit(1)
    return status


def _usage(message):
    sys.stdout.buffer.flush()
    sys.stderr.write(f"sqlite3: Error: {message}\nUse -help for a list of options.\n")
    return 1


def _run(shell, arguments):
    style, operands, before, init = shell.style, [], [], None
    rest = list(arguments)
    batch = interactive = False
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            operands.append(word)
            continue
        option = word[2:] if word.startswith("--") else word[1:]
        if option in _VALUES or option in ("lookaside", "pagecache"):
            if not rest:
                return _usage(f"missing argument to {word}")
            value = rest.pop(0)
            if option == "separator":
                style.column = value
            elif option == "newline":
                style.row = value
            elif option == "nullvalue":
                style.null = value
            elif option == "init":
                init = value
            elif option == "cmd":
                before.append(value)
            elif option in ("lookaside", "pagecache") and rest:
                rest.pop(0)
        elif option in _MODES:
            style.choose(option)
            if option == "csv":
                style.row = "\n"
        elif option in ("header", "noheader"):
            style.headers, style.headers_set = option == "header", True
        elif option in ("readonly", "bail", "echo"):
            setattr(shell, {"readonly": "read_only"}.get(option, option), True)
        elif option == "batch":
            batch = True
        elif option == "interactive":
            interactive = True
        elif option == "version":
            print(f"{sqlite3.sqlite_version} (python {sys.version.split()[0]})")
            return 0
        elif option == "help":
            print(help.USAGE, end="")
            return 0
        elif option not in _IGNORED:
            return _usage(f"unknown option: {word}")
    if operands:
        shell.path = operands.pop(0)
    if shell.path not in ("", ":memory:") and (shell.read_only or not os.path.isdir(os.path.dirname(shell.path) or ".")):
        _ = shell.database
    _first(shell, init)
    for text in before:
        status = _argument(shell, text)
        if status and shell.bail:
            return status
    if operands:
        for text in operands:
            status = _argument(shell, text)
            if status:
                return status
        return 0
    person = interactive or (sys.stdin.isatty() and not batch)
    if person:
        shell.write(f'SQLite version {sqlite3.sqlite_version}\nEnter ".help" for usage hints.\n')
        if shell.path == ":memory:":
            shell.write('Connected to a transient in-memory database.\nUse ".open FILENAME" to reopen on a persistent database.\n')
    failed = shell.lines(sys.stdin.buffer, person)
    return 1 if failed else 0


def _first(shell, init):
    """Read the file of -init, or .sqliterc, before everything else."""
    name = init or os.path.join(os.environ.get("HOME", "/"), ".sqliterc")
    if init or os.path.exists(name):
        try:
            with open(name, "rb") as source:
                failed = shell.lines(source)
        except OSError:
            shell.complain(f'cannot open: "{name}"')
            raise Leave(1) from None
        if failed and shell.bail:
            raise Leave(1)


def _argument(shell, text):
    """Run a statement or a command from the command line."""
    if text.startswith("."):
        return commands.run(shell, text)
    return shell.execute(text)
