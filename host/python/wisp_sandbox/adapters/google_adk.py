"""wisp for Google's Agent Development Kit: `LlmAgent(code_executor=WispCodeExecutor())`, and `EnvironmentToolset(environment=WispEnvironment())`."""

from __future__ import annotations

import base64
import threading
from collections import OrderedDict
from pathlib import Path, PurePosixPath

from .. import AsyncSandbox, EndedError, Execution, Sandbox, WispError
from ._common import both, check_host, missing, note, with_note

try:
    from google.adk.agents.invocation_context import InvocationContext
    from google.adk.code_executors.base_code_executor import BaseCodeExecutor
    from google.adk.code_executors.code_execution_utils import CodeExecutionInput, CodeExecutionResult, File
    from google.adk.environment import BaseEnvironment
    from google.adk.environment._base_environment import ExecutionResult
    from google.adk.sessions import Session
    from pydantic import ConfigDict, Field, PrivateAttr
except ImportError as error:
    raise missing("google-adk", "google-adk") from error

__all__ = ["WispCodeExecutor", "WispEnvironment"]

# The app, the user and the id of a conversation.
_Key = tuple[str, str, str]


class WispCodeExecutor(BaseCodeExecutor):
    """Runs the code blocks of a model in forks of a sandbox of wisp.

    `sandbox` is what each conversation begins with: its files and what its Python has defined; it does not change itself. Without one it is a fresh
    sandbox under the policy `offline`. With `stateful`, which is the default, a conversation has one fork, and goes on where it was; without it, each
    block has one of its own. Of more than `max_sessions` conversations, the one that ran code longest ago begins anew. A conversation is one of
    an app and a user: those of others with the same id, which whoever begins one may choose, have other forks.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    sandbox: Sandbox | None = Field(default=None, exclude=True)
    stateful: bool = True
    max_sessions: int = 100

    _forks: OrderedDict[_Key, Sandbox] = PrivateAttr(default_factory=OrderedDict)
    _saved: dict[_Key, dict[str, str]] = PrivateAttr(default_factory=dict)
    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    def execute_code(self, invocation_context: InvocationContext, code_execution_input: CodeExecutionInput) -> CodeExecutionResult:
        """Runs a block. What it raises, and the limit that ends it, are in `stderr`, by which ADK tells a failure; a fault of wisp is raised."""
        named = code_execution_input.execution_id if self.stateful else None
        id = None if named is None else _key(getattr(invocation_context, "session", None), named)
        fork = self._fork(id)
        try:
            for file in code_execution_input.input_files:
                # A text is base64: what ADK makes of files.
                data = file.content if isinstance(file.content, bytes) else base64.b64decode(file.content)
                fork.files.write(file.name, data)
            found = fork.run_code(code_execution_input.code, timeout=self.timeout_seconds)
            check_host(found.outcome.end)
            return self._result(fork, found, {} if id is None else self._saved.setdefault(id, {}))
        finally:
            if id is None:
                fork.close()

    def _fork(self, id: _Key | None) -> Sandbox:
        with self._lock:
            if self.sandbox is None:
                self.sandbox = Sandbox.create()
            fork = None if id is None else self._forks.pop(id, None)
            if fork is None:
                [fork] = self.sandbox.fork()
            if id is not None:
                self._forks[id] = fork
            while len(self._forks) > self.max_sessions:
                oldest, _ = self._forks.popitem(last=False)
                self._saved.pop(oldest, None)
        return fork

    def _result(self, fork: Sandbox, found: Execution, saved: dict[str, str]) -> CodeExecutionResult:
        files = [file for file in found.outcome.files if saved.get(file.path) != file.sha256]
        saved.update({file.path: file.sha256 for file in files})
        outputs = [File(PurePosixPath(file.path).name, fork.files.read(file.path, "bytes"), file.mime_type) for file in files]
        stdout, stderr = "".join(found.logs.stdout), "".join(found.logs.stderr)
        if found.success:
            # Anything in `stderr` is a failure for ADK, and a warning is none.
            shown = stdout + stderr + ("" if found.value is None else f"{found.value}\n")
            return CodeExecutionResult(stdout=shown, output_files=outputs, exit_code=0)
        error = found.error.traceback if found.error is not None else f"The code has ended with the status {found.outcome.exit_code}.\n{_renewed(fork)}"
        stderr = "".join(part if part.endswith("\n") else f"{part}\n" for part in (stderr, error, note(found.outcome.end)) if part)
        return CodeExecutionResult(stdout=stdout, stderr=stderr, output_files=outputs, exit_code=found.outcome.exit_code)

    def session(self, session: Session | str) -> Sandbox:
        """Returns the fork of a conversation: of ADK's session, or of an id that no app and no user has."""
        return self._fork(_key_of(session))

    def forget(self, session: Session | str) -> None:
        """Closes the fork of a conversation, if it has one."""
        self._forget(_key_of(session))

    def _forget(self, id: _Key) -> None:
        with self._lock:
            fork = self._forks.pop(id, None)
            self._saved.pop(id, None)
        if fork is not None:
            fork.close()

    def close(self) -> None:
        """Closes the forks of all conversations. The sandbox that they began with is its maker's."""
        for id in list(self._forks):
            self._forget(id)


def _key(session: Session | None, id: str) -> _Key:
    return ("", "", id) if session is None else (session.app_name, session.user_id, id)


def _key_of(session: Session | str) -> _Key:
    return _key(None, session) if isinstance(session, str) else _key(session, session.id)


def _renewed(fork: Sandbox) -> str:
    """Starts a fresh interpreter if this one has ended. Returns what is to be said of that."""
    try:
        fork.run_code("")
    except EndedError:
        fork.reset()
        return "The interpreter has ended too, and its variables are lost.\n"
    return ""


class WispEnvironment(BaseEnvironment):
    """An environment of ADK whose commands run, and whose files are, in a sandbox of wisp.

    Without a sandbox, `initialize` opens one under the policy `offline`, and `close` closes that one.
    """

    def __init__(self, sandbox: Sandbox | AsyncSandbox | None = None, *, working_dir: str = "/home/user") -> None:
        self._sandbox = None if sandbox is None else both(sandbox)[1]
        self._owned = sandbox is None
        self._working_dir = working_dir

    @property
    def sandbox(self) -> AsyncSandbox:
        """Its sandbox."""
        if self._sandbox is None:
            raise RuntimeError("the environment has no sandbox yet: call `initialize`")
        return self._sandbox

    @property
    def working_dir(self) -> Path:
        """Where its commands begin, and relative paths."""
        return Path(self._working_dir)

    async def initialize(self) -> None:
        """Opens its sandbox, if it has none, and makes its directory."""
        if self._sandbox is None:
            self._sandbox = await AsyncSandbox.create()
        done = await self._sandbox.commands.run(["mkdir", "-p", "--", self._working_dir])
        check_host(done.outcome.end)
        self.is_initialized = True

    async def close(self) -> None:
        """Closes its sandbox, if it has opened it. Once more is no error."""
        if self._owned and self._sandbox is not None:
            await self._sandbox.close()
            self._sandbox = None
        self.is_initialized = False

    async def execute(self, command: str, *, timeout: float | None = None) -> ExecutionResult:
        """Runs a script in bash. A limit of the policy is a status, and a line in `stderr`."""
        done = await self.sandbox.commands.run(["bash", "-c", command], cwd=self._working_dir, timeout=timeout)
        end = done.outcome.end
        check_host(end)
        late = end.kind == "limit" and end.limit is not None and end.limit.limit == "limits.wall"
        return ExecutionResult(done.exit_code, done.stdout, with_note(done.stderr, end), late)

    async def read_file(self, path: Path) -> bytes:
        """Reads a file."""
        try:
            return await self.sandbox.files.read(self._path(path), "bytes")
        except WispError as error:
            raise _os_error(error) from error

    async def write_file(self, path: Path, content: str | bytes) -> None:
        """Writes a file, and makes the directories above it."""
        try:
            await self.sandbox.files.write(self._path(path), content)
        except WispError as error:
            raise _os_error(error) from error

    def _path(self, path: Path) -> str:
        return str(PurePosixPath(self._working_dir) / PurePosixPath(path))


def _os_error(error: WispError) -> Exception:
    """Returns an error of wisp as one that ADK expects: those of files are that already."""
    return error if isinstance(error, OSError) or error.fault == "host" else OSError(str(error))
