"""A session: the database, the settings, and running lines of input."""

import os
import re
import sqlite3
import sys
import time

from . import output, statements, values

#: Errors that a statement may have already when it is read, which needs the schema.
_MAYBE_PARSING = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


class Leave(Exception):
    """`.quit` and `.exit`: the status is the argument."""


def _edits():
    """Whether standard input is a terminal with settings: then `input` edits lines, with a history."""
    import termios

    try:
        termios.tcgetattr(0)
    except termios.error:
        return False
    import readline  # noqa: F401

    return True


def _edited(prompt):
    """A line that a person edits, as bytes; no bytes at the end of the input."""
    try:
        return (input(prompt) + "\n").encode("utf-8", "surrogateescape")
    except EOFError:
        return b""


class Shell:
    """The state that commands and statements share."""

    def __init__(self):
        self.path, self.read_only, self.connection = ":memory:", False, None
        self.style = output.Style()
        self.bail = self.echo = self.timer = self.changes = False
        self.eqp, self.explain = "off", "auto"
        self.parameters = {}
        self.out, self.out_name, self.out_child = sys.stdout.buffer, "stdout", None
        self.once = self.interactive = False
        self.prompts = ["sqlite> ", "   ...> "]
        self.timeout = 0

    # Output

    def write(self, text):
        """Write text to standard output or to its replacement."""
        self.out.write(text.encode("utf-8", "surrogateescape"))

    def complain(self, text):
        """Write a line to standard error, after what was printed."""
        self.out.flush()
        sys.stderr.buffer.write((text + "\n").encode("utf-8", "surrogateescape"))
        sys.stderr.buffer.flush()

    def redirect(self, name, once=False):
        """Send output to a file, to a command (`|command`) or back to standard output."""
        self.restore()
        self.once = once
        if name in (None, "stdout"):
            return True
        try:
            if name.startswith("|"):
                import subprocess

                sys.stdout.buffer.flush()
                self.out_child = subprocess.Popen(name[1:], shell=True, stdin=subprocess.PIPE)
                self.out = self.out_child.stdin
            elif name == "off":
                self.out = open(os.devnull, "wb")
            else:
                self.out = open(name, "wb")
        except OSError:
            self.out, self.once = sys.stdout.buffer, False
            self.complain(f'Error: cannot write to "{name}"')
            return False
        self.out_name = name
        return True

    def restore(self):
        """Return to standard output."""
        if self.out is not sys.stdout.buffer:
            self.out.close()
            if self.out_child:
                self.out_child.wait()
        self.out, self.out_name, self.out_child, self.once = sys.stdout.buffer, "stdout", None, False

    # The database

    @property
    def database(self):
        """The connection; opened at its first use."""
        if self.connection is None:
            self.connection = self.open(self.path, self.read_only)
        return self.connection

    def open(self, path, read_only=False):
        """Open a database; a failure ends the program with an error."""
        try:
            if read_only:
                quoted = re.sub("[%?#]", lambda m: f"%{ord(m[0]):02x}", path)
                connection = sqlite3.connect(f"file:{quoted}?mode=ro", 0, uri=True, isolation_level=None)
            else:
                connection = sqlite3.connect(path, 0, isolation_level=None, uri=path.startswith("file:"))
        except sqlite3.Error:
            self.complain(f'Error: unable to open database "{path}": unable to open database file')
            raise Leave(1) from None
        return self._prepared(connection)

    def _prepared(self, connection):
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        connection.create_function("regexp", 2, lambda p, v: v is not None and re.search(p, str(v)) is not None, deterministic=True)
        connection.create_function("readfile", 1, _read_file)
        connection.create_function("writefile", 2, _write_file)
        if self.timeout:
            connection.execute(f"PRAGMA busy_timeout={self.timeout}")
        return connection

    # Statements

    def execute(self, text, line=None):
        """Run all statements of a text up to the first error; return 0 or the status of the error."""
        status = 0
        for start, statement in statements.split(text):
            if statements.blank(statement):
                continue
            try:
                self._one(_clean(statement))
            except (sqlite3.Error, sqlite3.Warning, UnicodeError) as error:
                status = self._report(error, text[start:].lstrip(), statement, line)
                break
        return status

    def _one(self, statement):
        lowered = statement.lstrip().lower()
        if self.eqp != "off" and not lowered.startswith("explain"):
            self._plan(self.database.execute("EXPLAIN QUERY PLAN " + statement, statements.bindings(statement, self.parameters)))
        cursor = self.database.execute(statement, statements.bindings(statement, self.parameters))
        if not cursor.description:
            cursor.fetchall()
            return
        names = [column[0] for column in cursor.description]
        if self.explain == "auto" and re.match(r"explain\s+query\s+plan\b", lowered):
            self._plan(cursor)
            return
        style = self.style
        if self.explain == "auto" and re.match(r"explain\b", lowered):
            style = output.Style()
            style.mode, style.headers, style.widths = "column", True, [4, 13, 4, 4, 4, 13, 2, 13]
        output.rows(style, names, cursor, self.write)
        cursor.close()

    def _plan(self, cursor):
        found = cursor.fetchall()
        if not found:
            return
        self.write("QUERY PLAN\n")

        def level(parent, before):
            mine = [row for row in found if row[1] == parent]
            for row in mine:
                last = row is mine[-1]
                self.write(f"{before}{'`--' if last else '|--'}{row[3]}\n")
                level(row[0], before + ("   " if last else "|  "))

        level(0, "")

    def _report(self, error, text, statement, line):
        message = str(error)
        code = getattr(error, "sqlite_errorcode", 1) & 255
        suffix = f" ({code})" if code > 1 else ""
        parsing = code in _MAYBE_PARSING and self._refused(statement, message)
        if parsing:
            at = statements.place(self.database, statement.lstrip(), message)
            suffix += statements.context(text, at) if at is not None else ""
        if line is None:
            self.complain(f"Error: {'in prepare' if parsing or code == 26 else 'stepping'}, {message}{suffix}")
        else:
            kind = "Parse error" if parsing or code == 26 else "Runtime error"
            self.complain(f"{kind} near line {line}: {message}{suffix}")
        if re.fullmatch("no such module: fts[345]", message):
            self.complain("wisp: this SQLite is built without full-text search; use LIKE or GLOB, or the tool rg on files")
        return code or 1

    def _refused(self, statement, message):
        """Whether a statement fails already when it is read, not when it runs."""
        if re.match(r"\s*explain\b", statement, re.IGNORECASE):
            return True
        try:
            self.database.execute("EXPLAIN " + statement, statements.bindings(statement, self.parameters)).close()
        except (sqlite3.Error, sqlite3.Warning) as error:
            return str(error) == message
        return False

    # Lines

    def lines(self, source, interactive=False):
        """Run the lines of a file; return how many failed."""
        from . import commands

        pending, first, failed = "", 0, 0
        number = 0
        edits = interactive and _edits()
        while not (failed and self.bail):
            if interactive:
                sys.stdout.buffer.flush()
            if edits:
                raw = _edited(self.prompts[bool(pending)])
            else:
                if interactive:
                    sys.stdout.buffer.write(self.prompts[bool(pending)].encode())
                    sys.stdout.buffer.flush()
                raw = source.readline()
            if not raw:
                break
            number += 1
            text = raw.decode("utf-8", "surrogateescape").rstrip("\n").rstrip("\r")
            if not pending and text[:1] in (".", "#"):
                if self.echo:
                    self.write(text + "\n")
                if text[0] == ".":
                    failed += bool(commands.run(self, text))
                continue
            if not pending and not text.strip():
                continue
            if text.strip().lower() in ("/", "go") and pending and statements.complete(pending + ";"):
                text = ";"
            if not pending:
                first, text = number, text.lstrip()
            pending = pending + "\n" + text if pending else text
            if ";" in text and statements.complete(pending):
                failed += self._pending(pending, first)
                pending = ""
            elif statements.blank(pending):
                pending = ""
        if pending and not statements.blank(pending) and not (failed and self.bail):
            failed += self._pending(pending, first)
        return failed

    def _pending(self, text, line):
        if self.echo:
            self.write(text + "\n")
        began, before = time.perf_counter(), os.times()
        status = self.execute(text, line)
        if self.once:
            self.restore()
        if self.timer:
            user, system = (os.times()[at] - before[at] for at in (0, 1))
            self.write(f"Run Time: real {time.perf_counter() - began:.3f} user {user:f} sys {system:f}\n")
        if self.changes and not status:
            count = self.database.execute("SELECT changes()").fetchone()[0]
            self.write(f"changes: {count}   total_changes: {self.database.total_changes}\n")
        return bool(status)


def _clean(statement):
    """A statement as the module accepts it: bytes that are not text are replaced."""
    return statement.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _read_file(name):
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError:
        return None


def _write_file(name, data):
    data = values.text(data).encode("utf-8", "surrogateescape") if not isinstance(data, bytes) else data
    try:
        with open(name, "wb") as file:
            return file.write(data)
    except OSError:
        return None
