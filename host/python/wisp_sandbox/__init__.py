"""wisp: a sandbox for code that language-model agents write.

    from wisp_sandbox import Sandbox

    with Sandbox.create() as sandbox:
        print(sandbox.run_code("6 * 7").value)
        print(sandbox.commands.run("seq 3 | sort -r").stdout)

`Sandbox` is for programs without an event loop, `AsyncSandbox` has the same names for those with one. A policy says what a sandbox may
do; without one it has no network, none of your files, and limits on time, memory and output. One engine serves the whole process; it is
made at first use.
"""

import atexit

from . import _native
from ._async_commands import AsyncCommandHandle, AsyncCommands
from ._async_sandbox import AsyncFiles, AsyncSandbox
from ._commands import CommandHandle, Commands
from ._data import Artifact, CommandInfo, End, FileInfo, LimitHit, Outcome, OutputChunk, Receipt, Usage
from ._errors import (
    DeniedError,
    EndedError,
    Finding,
    InfraError,
    LimitError,
    NotFoundError,
    PolicyError,
    RequestError,
    SandboxFileExistsError,
    SandboxFileNotFoundError,
    SandboxPermissionError,
    SnapshotError,
    TimeLimitError,
    WispError,
)
from ._native import Policy, __version__
from ._requests import Mount
from ._results import CommandResult, Execution, ExecutionError, Frame, Logs, Result
from ._sandbox import Files, Sandbox
from ._snapshot import Snapshot

__all__ = [
    "Artifact",
    "AsyncCommandHandle",
    "AsyncCommands",
    "AsyncFiles",
    "AsyncSandbox",
    "CommandHandle",
    "CommandInfo",
    "CommandResult",
    "Commands",
    "DeniedError",
    "End",
    "EndedError",
    "Execution",
    "ExecutionError",
    "FileInfo",
    "Files",
    "Finding",
    "Frame",
    "InfraError",
    "LimitError",
    "LimitHit",
    "Logs",
    "Mount",
    "NotFoundError",
    "Outcome",
    "OutputChunk",
    "Policy",
    "PolicyError",
    "Receipt",
    "RequestError",
    "Result",
    "Sandbox",
    "SandboxFileExistsError",
    "SandboxFileNotFoundError",
    "SandboxPermissionError",
    "Snapshot",
    "SnapshotError",
    "TimeLimitError",
    "Usage",
    "WispError",
    "__version__",
]

# Sandboxes end before the interpreter does.
atexit.register(_native.shut_down)
