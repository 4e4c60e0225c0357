"""wisp: a sandbox for code that language-model agents write.

    from wisp_sandbox import Sandbox

    with Sandbox.create() as sandbox:
        print(sandbox.run_code("6 * 7").value)
        print(sandbox.commands.run("seq 3 | sort -r").stdout)

`Sandbox` is for programs without an event loop, `AsyncSandbox` has the same names for those with one. A policy says what a sandbox may
do; without one it has no network, none of your files, and limits on time, memory and output. Its code can call the functions that you
give it. One engine serves the whole process; it is made at first use.
"""

import atexit

from . import _native, _workers
from ._async_commands import AsyncCommandHandle, AsyncCommands
from ._async_files import AsyncFiles
from ._async_pty import AsyncPty, AsyncPtyHandle
from ._async_sandbox import AsyncSandbox
from ._commands import CommandHandle, Commands
from ._data import (
    Artifact,
    Artifacts,
    CommandInfo,
    End,
    FunctionInfo,
    LimitHit,
    Outcome,
    OutputChunk,
    Receipt,
    Usage,
)
from ._engine import Engine
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
from ._file_data import Diff, FileChange, FileDifference, FileInfo, FileInfos, FileVersion, PatchedFile, Transferred
from ._files import Files
from ._native import Policy, __version__
from ._pty import Pty, PtyHandle
from ._requests import Mount
from ._results import CommandResult, Execution, ExecutionError, Frame, Logs, Result
from ._sandbox import Sandbox
from ._snapshot import Snapshot
from ._watch import AsyncWatch, Watch

__all__ = [
    "Artifact",
    "Artifacts",
    "AsyncCommandHandle",
    "AsyncCommands",
    "AsyncFiles",
    "AsyncPty",
    "AsyncPtyHandle",
    "AsyncSandbox",
    "AsyncWatch",
    "CommandHandle",
    "CommandInfo",
    "CommandResult",
    "Commands",
    "DeniedError",
    "Diff",
    "End",
    "EndedError",
    "Engine",
    "Execution",
    "ExecutionError",
    "FileChange",
    "FileDifference",
    "FileInfo",
    "FileInfos",
    "FileVersion",
    "Files",
    "Finding",
    "Frame",
    "FunctionInfo",
    "InfraError",
    "LimitError",
    "LimitHit",
    "Logs",
    "Mount",
    "NotFoundError",
    "Outcome",
    "OutputChunk",
    "PatchedFile",
    "Policy",
    "PolicyError",
    "Pty",
    "PtyHandle",
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
    "Transferred",
    "Usage",
    "Watch",
    "WispError",
    "__version__",
]

# Sandboxes end before the interpreter does; then the event loop does on which their functions ran.
atexit.register(_workers.LOOP.stop)
atexit.register(_native.shut_down)
