"""The sandbox environment: Inspect's calls as calls of wisp's package."""

from __future__ import annotations

import asyncio
import errno
import os
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Literal, NoReturn, overload

from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUnavailableError,
    SandboxUserUnsupportedError,
    concurrency,
    sandboxenv,
)
from pydantic import BaseModel

from ... import AsyncSandbox, CommandResult, EndedError, NotFoundError, RequestError
from ..._native import Policy
from .._common import check_host, is_wrong_type, with_note
from ._config import WispSandboxConfig, config_of
from ._tools import Tools

# The only user that there is.
_USER = ("user", "1000")


class ExecTimeoutError(TimeoutError):
    """A command took longer than its caller gives it. Inspect shows a model what it had written."""

    def __init__(self, message: str, truncated_output: str) -> None:
        super().__init__(message)
        self.truncated_output = truncated_output


@sandboxenv(name="wisp")
class WispSandboxEnvironment(SandboxEnvironment):
    """A sandbox of wisp: commands and files of a sample, in this process, under a policy.

    Relative paths are below `/home/user`.
    """

    def __init__(self, sandbox: AsyncSandbox) -> None:
        super().__init__()
        self._sandbox = sandbox
        self._tools = Tools(sandbox)

    @property
    def sandbox(self) -> AsyncSandbox:
        """The sandbox, for what Inspect does not know: forks, snapshots, receipts. `sandbox().as_type(WispSandboxEnvironment).sandbox`."""
        return self._sandbox

    @classmethod
    def config_files(cls) -> list[str]:
        """Returns the name of the file that Inspect takes for the policy if it stands beside a task that names none."""
        return ["wisp.toml"]

    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BaseModel:
        """Returns the configuration of a log."""
        return WispSandboxConfig(**config)

    @classmethod
    async def task_init(cls, task_name: str, config: SandboxEnvironmentConfigType | None) -> None:
        """Reads the policy, so that one that is wrong fails the task before its first sample."""
        config_of(config).parsed()

    @classmethod
    async def sample_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        """Opens the sandboxes of a sample."""
        asked = config_of(config)
        return dict(await _opened(asked.names, asked.parsed(), asked.timeout))

    @classmethod
    async def sample_cleanup(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, environments: dict[str, SandboxEnvironment], interrupted: bool
    ) -> None:
        """Closes them: ends all that runs in them."""
        for environment in environments.values():
            await environment.as_type(WispSandboxEnvironment)._sandbox.close()

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        """Runs a command, and returns what it wrote and its status.

        After `timeout` seconds all its processes are ended, and that is a `TimeoutError`: it is not run again. A limit of the policy that ends
        it is in its standard error, which the model reads.
        """
        if user is not None and user not in _USER:
            raise SandboxUserUnsupportedError(f"the sandbox `wisp` has one user, `{_USER[0]}`, and cannot run a command as `{user}`")
        if self._tools.takes(cmd):
            return await self._asked_for_tools(input or "", timeout)
        if any("\0" in word for word in cmd):
            # Inspect knows this text, and tells the model.
            raise ValueError("embedded null byte")
        async with _turn(concurrency):
            try:
                result = await self._sandbox.commands.run(cmd, stdin=input, cwd=cwd, env=env, timeout=timeout)
            except EndedError as error:
                raise SandboxUnavailableError(str(error)) from error
            except RequestError as error:
                return _not_started(error, cmd)
        return _result(result, timeout)

    async def _asked_for_tools(self, request: str | bytes, timeout: int | None) -> ExecResult[str]:
        try:
            async with asyncio.timeout(timeout):
                return ExecResult(success=True, returncode=0, stdout=await self._tools.answer(request), stderr="")
        except EndedError as error:
            raise SandboxUnavailableError(str(error)) from error

    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Writes a file, over what it had, and makes the directories above it."""
        try:
            await self._sandbox.files.write(file, contents)
        except RequestError as error:
            _raise_of_file(error, file)

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        """Returns the contents of a file, at most as many bytes as Inspect's limit says."""
        contents, most = bytearray(), SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        try:
            # Piece by piece: /dev/zero has no end.
            async for piece in await self._sandbox.files.read(file, "stream"):
                contents += piece
                if len(contents) > most:
                    raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None)
        except RequestError as error:
            _raise_of_file(error, file)
        return contents.decode() if text else bytes(contents)


async def _opened(names: tuple[str, ...], policy: Policy, timeout: float | None) -> dict[str, WispSandboxEnvironment]:
    found: dict[str, WispSandboxEnvironment] = {}
    try:
        for name in names:
            environment = found[name] = WispSandboxEnvironment(await AsyncSandbox.create(policy, timeout=timeout))
            await environment._tools.prepare()
    except BaseException:
        for environment in found.values():
            await environment.sandbox.close()
        raise
    return found


def _turn(wanted: bool) -> AbstractAsyncContextManager[object]:
    """Waits until a processor of the machine is free: commands run on those of this process."""
    return concurrency("wisp", os.cpu_count() or 1, visible=False) if wanted else nullcontext()


def _result(result: CommandResult, timeout: int | None) -> ExecResult[str]:
    outcome = result.outcome
    check_host(outcome.end)
    limit = outcome.end.limit
    if timeout is not None and limit is not None and limit.limit == "limits.wall" and outcome.execution_time >= timeout:
        raise ExecTimeoutError(f"the command did not end within {timeout} s", result.stdout + result.stderr)
    most = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE
    if limit is not None and limit.limit in ("limits.stdout", "limits.stderr"):
        raise OutputLimitExceededError(limit.value, _cut(result, most))
    if len(result.stdout_bytes) > most or len(result.stderr_bytes) > most:
        raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE_STR, _cut(result, most))
    stderr = with_note(result.stderr, outcome.end)
    return ExecResult(success=result.exit_code == 0, returncode=result.exit_code, stdout=result.stdout, stderr=stderr)


def _cut(result: CommandResult, most: int) -> str:
    return "".join(data[:most].decode(errors="replace") for data in (result.stdout_bytes, result.stderr_bytes))


def _not_started(error: RequestError, cmd: list[str]) -> ExecResult[str]:
    if isinstance(error, NotFoundError) and error.code == "program_not_found":
        return ExecResult(success=False, returncode=127, stdout="", stderr=f"{error}\n")
    if error.code == "not_executable":
        raise PermissionError(errno.EACCES, str(error), cmd[0]) from error
    if is_wrong_type(error):
        raise NotADirectoryError(errno.ENOTDIR, str(error)) from error
    raise error


def _raise_of_file(error: RequestError, file: str) -> NoReturn:
    """Raises what Inspect expects of a file that cannot be read or written."""
    if isinstance(error, EndedError):
        raise SandboxUnavailableError(str(error)) from error
    if isinstance(error, FileNotFoundError):
        raise FileNotFoundError(errno.ENOENT, str(error), file) from error
    if isinstance(error, PermissionError):
        raise PermissionError(errno.EACCES, str(error), file) from error
    if is_wrong_type(error) and str(error).endswith("not a directory"):
        raise FileNotFoundError(errno.ENOENT, str(error), file) from error
    if is_wrong_type(error):
        raise IsADirectoryError(errno.EISDIR, str(error), file) from error
    raise error
