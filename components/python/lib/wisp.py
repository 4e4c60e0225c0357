"""What a program can tell the wisp session that it runs in, and ask of it.

    import wisp

    wisp.artifact("/output/chart.svg", title="Sales by month")   # label a file that the session returns
    wisp.limits().memory                                         # what the policy allows; 0 means no limit
    wisp.grants()                                                # what was granted, as the policy writes it
    wisp.usage()                                                 # how full the session's filesystem is
    wisp.display(table)                                          # show an object: as HTML, as an image, as text

In code that a host program evaluates, `display` is a built-in name.

Everything below `wisp.output_directory()` is returned when the session ends; a label is optional. Nothing here grants
anything: these functions only inform.
"""

import os
from typing import NamedTuple

from componentize_py_types import Err
from wit_world.imports import artifacts as _artifacts
from wit_world.imports import files as _files
from wit_world.imports import process as _process
from wit_world.imports import session as _session

from _wisp import spelling as _spelling
from _wisp.rich import DisplayHandle, clear_output, display, update_display

__all__ = [
    "ArtifactError",
    "DisplayHandle",
    "Limits",
    "Process",
    "Usage",
    "artifact",
    "clear_output",
    "deterministic",
    "display",
    "grants",
    "limits",
    "mounts",
    "output_directory",
    "policy",
    "processes",
    "tools",
    "update_display",
    "usage",
]


class ArtifactError(ValueError):
    """A label was refused; the message gives the reason."""


class Limits(NamedTuple):
    """The limits of the session's policy. 0 means no limit."""

    #: Wall-clock time of a command, in milliseconds.
    wall_ms: int
    #: Processor time of a command, in milliseconds.
    cpu_ms: int
    #: Memory of all processes together, in bytes.
    memory: int
    #: Instructions of a command.
    instructions: int
    #: Processes at once.
    processes: int
    #: Open files of a process.
    open_files: int
    #: Bytes of standard output.
    stdout: int
    #: Bytes of standard error.
    stderr: int


class Usage(NamedTuple):
    """How full the session's filesystem is; mounts are not counted."""

    bytes: int
    max_bytes: int
    files: int
    max_files: int


class Process(NamedTuple):
    """A running process of the session."""

    pid: int
    parent: int
    name: str


_REFUSALS = {
    _artifacts.LabelError.OUTSIDE_OUTPUT: "{path!r} is not below {directory!r}, the output directory",
    _artifacts.LabelError.INVALID_LABEL: (
        "the title is longer than 1,024 bytes, the type is not of the form 'type/subtype', "
        "or one of them has control characters"
    ),
    _artifacts.LabelError.TOO_MANY: "more labels than the policy's output.max_files allows",
}


def artifact(path, title=None, mime_type=None):
    """Label the file at `path`, which must be below the output directory, and return its absolute path.

    The file may be written before or after; a later label replaces an earlier one. Without `mime_type` the type is
    guessed from the name.
    """
    where = os.path.abspath(os.fspath(path))
    try:
        _artifacts.set_label(_spelling.spell(where), _artifacts.Label(title, mime_type))
        return where
    except Err as failure:
        code = failure.value
    raise ArtifactError(_REFUSALS[code].format(path=where, directory=_artifacts.directory()))


def output_directory():
    """The directory whose files the session returns."""
    return _artifacts.directory()


def limits():
    """The limits of this session."""
    found = _session.get_limits()
    return Limits(*(getattr(found, name) for name in Limits._fields))


def grants():
    """What was granted, one line each, as the policy writes it."""
    return _session.grants()


def policy():
    """The name of the policy."""
    return _session.policy()


def tools():
    """The programs of this session, by name."""
    return _session.tools()


def deterministic():
    """Whether the policy fixes the clock and the randomness."""
    return _session.deterministic()


def usage():
    """How full the session's filesystem is."""
    found = _files.space_usage()
    return Usage(found.bytes, found.max_bytes, found.files, found.max_files)


def mounts():
    """The mounted filesystems: a dict from path to access (`memory`, `read`, `write` or `overlay`)."""
    return {mount.path: mount.access for mount in _files.mounts()}


def processes():
    """The running processes of this session."""
    return [Process(entry.pid, entry.parent, entry.name) for entry in _process.processes()]
