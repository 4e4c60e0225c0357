"""The standard streams, made anew at every start: those of the snapshot belong to the machine that built it."""

import io
import os
import sys

_ENCODING = "utf-8"


def open_standard(numbers, unbuffered, environment):
    """Set `sys.stdin`, `sys.stdout` and `sys.stderr`; those not among `numbers` become None, as in CPython."""
    encoding, errors = _ENCODING, "strict"
    if environment.get("LC_ALL", environment.get("LC_CTYPE", environment.get("LANG", "C"))) in ("C", "POSIX", ""):
        errors = "surrogateescape"
    wanted = environment.get("PYTHONIOENCODING", "")
    if wanted:
        name, _, handler = wanted.partition(":")
        encoding, errors = name or encoding, handler or "strict"
    sys.stdin = sys.__stdin__ = _reader(encoding, errors) if 0 in numbers else None
    sys.stdout = sys.__stdout__ = _writer(1, encoding, errors, unbuffered) if 1 in numbers else None
    sys.stderr = sys.__stderr__ = _writer(2, encoding, "backslashreplace", unbuffered) if 2 in numbers else None


def _reader(encoding, errors):
    raw = io.FileIO(0, "rb", closefd=False)
    raw.name = "<stdin>"
    stream = io.TextIOWrapper(io.BufferedReader(raw), encoding, errors, line_buffering=os.isatty(0))
    stream.mode = "r"
    return stream


def _writer(number, encoding, errors, unbuffered):
    raw = io.FileIO(number, "wb", closefd=False)
    raw.name = "<stdout>" if number == 1 else "<stderr>"
    binary = raw if unbuffered else io.BufferedWriter(raw)
    stream = io.TextIOWrapper(
        binary,
        encoding,
        errors,
        newline="\n",
        line_buffering=number == 2 or (not unbuffered and os.isatty(number)),
        write_through=unbuffered,
    )
    stream.mode = "w"
    return stream
