"""The commands that begin with a dot."""

import os
import sqlite3
import subprocess

from . import help, importing, output, schema, values
from .shell import Leave


def words(line):
    """The words of a command: in quotes of either kind, with C's escapes in double quotes."""
    out, at, end = [], 0, len(line)
    while at < end:
        if line[at].isspace():
            at += 1
        elif line[at] in "'\"":
            quote, start = line[at], at + 1
            at = start
            while at < end and line[at] != quote:
                at += 2 if line[at] == "\\" and quote == '"' else 1
            word = line[start:at]
            out.append(unescape(word) if quote == '"' else word)
            at += 1
        else:
            start = at
            while at < end and not line[at].isspace():
                at += 1
            out.append(unescape(line[start:at]))
    return out


def unescape(word):
    """C's escapes."""
    if "\\" not in word:
        return word
    out, at = [], 0
    plain = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
    while at < len(word):
        char = word[at]
        if char == "\\" and at + 1 < len(word):
            at += 1
            digits = ""
            while len(digits) < 3 and word[at: at + 1] in tuple("01234567"):
                digits += word[at]
                at += 1
            if digits:
                out.append(chr(int(digits, 8) & 255))
                continue
            char = plain.get(word[at], word[at])
        out.append(char)
        at += 1
    return "".join(out)


def truth(shell, word):
    """`on` or `off`."""
    if word.lower() in ("on", "yes", "true") or (word.isdigit() and int(word)):
        return True
    if word.lower() not in ("off", "no", "false", "0"):
        shell.complain(f'ERROR: Not a boolean value: "{word}". Assuming "no".')
    return False


def run(shell, line):
    """Run one command; return the status."""
    given = words(line[1:])
    if not given:
        return 0
    name, arguments = given[0], given[1:]
    known = [n for n in _COMMANDS if n == name] or [n for n in help.ORDER if n.startswith(name)][:1]
    if not known:
        shell.complain(f'Error: unknown command or invalid arguments:  "{name}". Enter ".help" for help')
        return 1
    try:
        answer = _COMMANDS[known[0]](shell, arguments)
    except sqlite3.Error as error:
        shell.complain(f"Error: {error}")
        answer = 1
    if shell.once and known[0] not in ("once", "output"):
        shell.restore()
    return answer or 0


def _usage(shell, text):
    shell.complain(f"Usage: {text}")
    return 1


def _switch(attribute, text):
    def command(shell, arguments):
        if len(arguments) != 1:
            return _usage(shell, text)
        setattr(shell, attribute, truth(shell, arguments[0]))
        return 0

    return command


def _headers(shell, arguments):
    if len(arguments) != 1:
        return _usage(shell, ".headers on|off")
    shell.style.headers, shell.style.headers_set = truth(shell, arguments[0]), True
    return 0


def _mode(shell, arguments):
    style, mode = shell.style, None
    rest = list(arguments)
    if not rest:
        shell.write(f"current output mode: {style.describe()}\n")
        return 0
    table = None
    wrap, word_wrap, quote = None, None, None
    while rest:
        word = rest.pop(0)
        option = word.lstrip("-") if word.startswith("-") else ""
        if option == "wrap" and rest:
            wrap = int(rest.pop(0))
        elif option == "wordwrap" and rest:
            word_wrap = truth(shell, rest.pop(0))
        elif option == "ww":
            word_wrap = True
        elif option in ("quote", "noquote"):
            quote = option == "quote"
        elif option:
            shell.complain(f"unknown option: {word}")
            return 1
        elif mode is None:
            mode = word
        else:
            table = word
    mode = mode or style.mode
    found = [m for m in output.MODES if m.startswith(mode)] if mode not in ("columns", "lines", "tab") else [mode[:6].rstrip("s")]
    if mode == "lines":
        found = ["line"]
    if not found:
        shell.complain("Error: mode should be one of: " + " ".join(output.MODES))
        return 1
    style.wrap, style.word_wrap, style.quote = wrap or 0, bool(word_wrap), bool(quote)
    style.choose("column" if mode.startswith("col") else found[0])
    if style.mode in output.COLUMNAR and wrap is None and (word_wrap is not None or quote is not None or style.mode == "box"):
        style.wrap = 60
    if style.mode == "column" and not style.headers_set:
        style.headers = True
    if style.mode == "insert":
        style.table = table or "table"
    return 0


def _separator(shell, arguments):
    if not 1 <= len(arguments) <= 2:
        return _usage(shell, ".separator COL ?ROW?")
    shell.style.column = arguments[0]
    shell.style.row = arguments[1] if len(arguments) > 1 else shell.style.row
    return 0


def _null(shell, arguments):
    if len(arguments) != 1:
        return _usage(shell, ".nullvalue STRING")
    shell.style.null = arguments[0]
    return 0


def _width(shell, arguments):
    shell.style.widths = [int(w) if w.lstrip("+-").isdigit() else 0 for w in arguments]


def _databases(shell, arguments):
    for _, name, path in shell.database.execute("PRAGMA database_list").fetchall():
        if name != "temp":
            shell.write(f"{name}: {path or chr(34) * 2} {'r/o' if shell.read_only else 'r/w'}\n")


def _tables(shell, arguments):
    schema.tables(shell, arguments[0] if arguments else None)


def _indexes(shell, arguments):
    if len(arguments) > 1:
        return _usage(shell, ".indexes ?LIKE-PATTERN?")
    return schema.indexes(shell, arguments[0] if arguments else None)


def _schema(shell, arguments):
    options = {a.lstrip("-") for a in arguments if a.startswith("-")}
    names = [a for a in arguments if not a.startswith("-")]
    if options - {"indent", "debug", "nosys"} or len(names) > 1:
        return _usage(shell, ".schema ?--indent? ?--nosys? ?LIKE-PATTERN?")
    return schema.schema(shell, names[0] if names else None, "indent" in options, "nosys" not in options)


def _full_schema(shell, arguments):
    schema.schema(shell, None, "--indent" in arguments, False, False)
    if not shell.database.execute("SELECT 1 FROM sqlite_schema WHERE name GLOB 'sqlite_stat[134]'").fetchone():
        shell.write("/* No STAT tables available */\n")


def _dump(shell, arguments):
    options = {a.lstrip("-") for a in arguments if a.startswith("-")}
    unknown = options - {"data-only", "preserve-rowids", "newlines", "nosys"}
    if unknown:
        shell.complain(f'Unknown option "--{unknown.pop()}" on ".dump"')
        return 1
    names = [a for a in arguments if not a.startswith("-")]
    return schema.dump(shell, names, "data-only" in options, "preserve-rowids" in options)


def _import(shell, arguments):
    names, style = [], shell.style
    column, row, quotes, skip, verbose, base = style.column, style.row, style.mode != "ascii", 0, False, None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        option = word.lstrip("-") if word.startswith("-") else ""
        if not option:
            names.append(word)
        elif option == "v":
            verbose = True
        elif option == "csv":
            column, row, quotes = ",", "\n", True
        elif option == "ascii":
            column, row, quotes = "\x1f", "\x1e", False
        elif option in ("skip", "schema") and rest:
            value = rest.pop(0)
            skip, base = (int(value), base) if option == "skip" else (skip, value)
        else:
            return _import_usage(shell, f'ERROR: unknown option: "{word}".  Usage:')
    if len(names) < 2:
        return _import_usage(shell, f"ERROR: missing {'FILE' if not names else 'TABLE'} argument. Usage:")
    if len(names) > 2:
        return _import_usage(shell, f'ERROR: extra argument: "{names[2]}". Usage:')
    if row == "\r\n" and style.mode == "csv":
        row = style.row = "\n"
    if len(column) != 1 or len(row) != 1:
        kind = "column" if len(column) != 1 else "row"
        shell.complain(f"Error: non-null {kind} separator required for import" if not (column and row)
                       else f"Error: multi-character {kind} separators not allowed for import")
        return 1
    return importing.load(shell, names[0], names[1], base, (column, row), quotes, skip, verbose)


def _import_usage(shell, message):
    shell.write(message + "\n" + help.about("import"))
    return 1


def _read(shell, arguments):
    if len(arguments) != 1:
        return _usage(shell, ".read FILE")
    name = arguments[0]
    if name.startswith("|"):
        shell.out.flush()
        process = subprocess.Popen(name[1:], shell=True, stdout=subprocess.PIPE)
        with process.stdout as source:
            return shell.lines(source)
    try:
        with open(name, "rb") as source:
            return shell.lines(source)
    except OSError:
        shell.complain(f'Error: cannot open "{name}"')
        return 1


def _output(shell, arguments, once=False):
    if arguments and arguments[0].startswith("|"):
        arguments = [" ".join(arguments)]
    names = [a for a in arguments if not a.startswith("-")]
    if len(names) != len(arguments) or len(names) > 1:
        shell.complain(f'ERROR: unknown option: "{arguments[0]}".  Usage:\n{help.about("once" if once else "output")}'.rstrip())
        return 1
    return 0 if shell.redirect(names[0] if names else None, once and bool(names)) else 1


def _open(shell, arguments):
    names = [a for a in arguments if not a.startswith("-")]
    if "--new" in arguments and names and os.path.exists(names[0]):
        os.remove(names[0])
    if shell.connection is not None:
        shell.connection.close()
    shell.connection, shell.path = None, names[0] if names else ":memory:"
    shell.read_only = "--readonly" in arguments
    _ = shell.database


def _backup(shell, arguments):
    names = [a for a in arguments if not a.startswith("-")]
    if not 1 <= len(names) <= 2:
        return _usage(shell, ".backup ?DB? ?OPTIONS? FILENAME")
    with sqlite3.connect(names[-1]) as target:
        shell.database.backup(target, name=names[0] if len(names) == 2 else "main")
    target.close()
    return 0


def _restore(shell, arguments):
    if not 1 <= len(arguments) <= 2:
        return _usage(shell, ".restore ?DB? FILE")
    source = shell.open(arguments[-1], True)
    source.backup(shell.database, name="main")
    source.close()
    return 0


def _shell(shell, arguments):
    if not arguments:
        return _usage(shell, ".system COMMAND")
    shell.out.flush()
    command = " ".join(a if " " not in a else f'"{a}"' for a in arguments)
    status = subprocess.run(command, shell=True, check=False).returncode
    if status:
        shell.complain(f"System command returns {status}")
    return 0


def _change_directory(shell, arguments):
    if len(arguments) != 1:
        return _usage(shell, ".cd DIRECTORY")
    try:
        os.chdir(arguments[0])
    except OSError:
        shell.complain(f'Cannot change to directory "{arguments[0]}"')
        return 1
    return 0


def _leave(shell, arguments):
    raise Leave(int(arguments[0]) & 255 if arguments and arguments[0].lstrip("-").isdigit() else 0)


def _show(shell, arguments):
    style = shell.style
    rows = [
        ("echo", "on" if shell.echo else "off"), ("eqp", shell.eqp), ("explain", shell.explain),
        ("headers", "on" if style.headers else "off"), ("mode", style.describe()), ("nullvalue", values.c_string(style.null)),
        ("output", shell.out_name), ("colseparator", values.c_string(style.column)),
        ("rowseparator", values.c_string(style.row)), ("stats", "off"), ("width", "".join(f"{w} " for w in style.widths)),
        ("filename", shell.path),
    ]
    for name, value in rows:
        shell.write(f"{name:>12}: {value}\n")


def _parameter(shell, arguments):
    action = arguments[0] if arguments else ""
    if action == "set" and len(arguments) == 3:
        try:
            found = shell.database.execute(f"SELECT {arguments[2]}").fetchone()[0]
        except sqlite3.Error:
            found = arguments[2]
        shell.parameters[arguments[1]] = found
    elif action == "list":
        width = max(map(len, shell.parameters), default=0)
        for name, value in sorted(shell.parameters.items()):
            shell.write(f"{name:<{width}} {values.literal(value)}\n")
    elif action == "clear":
        shell.parameters.clear()
    elif action == "unset" and len(arguments) == 2:
        shell.parameters.pop(arguments[1], None)
    elif action != "init":
        shell.write(help.about("parameter"))
        return 1
    return 0


def _eqp(shell, arguments):
    if len(arguments) != 1:
        return _usage(shell, ".eqp off|on|trace|trigger|full")
    shell.eqp = arguments[0] if arguments[0] in ("full", "trigger") else "on" if truth(shell, arguments[0]) else "off"
    return 0


def _explain(shell, arguments):
    shell.explain = "auto" if not arguments or arguments[0] == "auto" else "on" if truth(shell, arguments[0]) else "off"


def _prompt(shell, arguments):
    shell.prompts[: len(arguments)] = arguments[:2]


def _timeout(shell, arguments):
    shell.timeout = int(arguments[0]) if arguments and arguments[0].isdigit() else 0
    shell.database.execute(f"PRAGMA busy_timeout={shell.timeout}")


def _help(shell, arguments):
    named = [a for a in arguments if not a.startswith("-")]
    text = help.about(named[0]) if named else help.overview()
    shell.write(text or f"Nothing matches '{named[0]}'\n")


def _print(shell, arguments):
    shell.write(" ".join(arguments) + "\n")


_COMMANDS = {
    "backup": _backup, "bail": _switch("bail", ".bail on|off"), "cd": _change_directory,
    "changes": _switch("changes", ".changes on|off"), "databases": _databases, "dump": _dump,
    "echo": _switch("echo", ".echo on|off"), "eqp": _eqp, "exit": _leave, "explain": _explain, "fullschema": _full_schema,
    "headers": _headers, "header": _headers, "help": _help, "import": _import, "indexes": _indexes, "indices": _indexes,
    "mode": _mode, "nullvalue": _null, "once": lambda s, a: _output(s, a, True), "open": _open, "output": _output,
    "parameter": _parameter, "print": _print, "prompt": _prompt, "quit": _leave, "read": _read, "restore": _restore,
    "save": _backup, "schema": _schema, "separator": _separator, "shell": _shell, "show": _show, "system": _shell,
    "tables": _tables, "timeout": _timeout, "timer": _switch("timer", ".timer on|off"), "width": _width,
}
