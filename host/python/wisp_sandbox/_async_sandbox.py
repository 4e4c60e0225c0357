"""The sandbox of programs with an event loop: the same names as in `_sandbox`."""

import os
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Literal, Self, overload

from . import _data, _native, _requests
from ._async_commands import AsyncCommands
from ._asyncio import settled
from ._data import FileInfos, Receipt
from ._following import followed_async
from ._native import Policy
from ._requests import Language, Mount, Receive
from ._results import Execution, execution, script_execution
from ._snapshot import Snapshot


class AsyncSandbox:
    """A sandbox: files, commands and a live Python of its own, under a policy.

    Make one with `await AsyncSandbox.create()`, and use it in an `async with` block, whose end closes it. Without one it is closed when
    the program has no object of it any more. Its calls have the names of those of `Sandbox`, and are awaited: those that answer at once
    are not. If the task of a call is cancelled, what it runs ends.
    """

    def __init__(self, session: _native.Session) -> None:
        self._session = session
        self.commands = AsyncCommands(session)
        self.files = AsyncFiles(session)

    @classmethod
    async def create(
        cls,
        policy: Policy | str | os.PathLike[str] = "offline",
        *,
        mounts: Sequence[Mount] = (),
        env: Mapping[str, str] | None = None,
        files: Mapping[str, str | bytes] | None = None,
        timeout: float | None = None,
        key: str | None = None,
    ) -> Self:
        """Opens a sandbox.

        `policy`: the name of one of wisp's (`offline`, `fetch`, …), the path of a file, TOML text, or a `Policy`. `mounts`: directories
        and files of the host. `env`: variables of its environment. `files`: files to write, by their paths. `timeout`: the seconds that
        a command or a piece of code may take, in place of the policy's `limits.wall`.

        `key`: if this process has a sandbox with this key, under the same policy and environment, returns that one, and writes no
        files. A sandbox with a key stays when its objects are gone: until it is closed, or has been idle for 30 minutes.
        """
        return cls(await settled(_requests.open_session(policy, mounts, env, files, timeout, key)))

    @property
    def id(self) -> str:
        """Its id, which is unique."""
        return self._session.id

    @property
    def policy(self) -> Policy:
        """Its policy, with its mounts, its time limit and its environment."""
        return self._session.policy

    @property
    def receipts(self) -> list[Receipt]:
        """The decisions that were made in it, oldest first: the last 4,096."""
        return _data.receipts(self._session.receipts())

    async def run_code(
        self,
        code: str,
        language: Language = "python",
        *,
        on_stdout: Receive | None = None,
        on_stderr: Receive | None = None,
        timeout: float | None = None,
    ) -> Execution:
        """Runs code, and waits for its end. What it defines stays for the next code of its language.

        Python code runs in an interpreter that stays alive; the value of its last expression is the execution's `value`, as in a
        notebook. `bash` code runs in a shell whose variables, functions and directory stay. What fails raises nothing here: look at
        `error` and `outcome`. `on_stdout` and `on_stderr` are called with each piece of text as it is written, and may be asynchronous.
        After `timeout` seconds Python code is interrupted, and the interpreter stays alive. If the task is cancelled, it is interrupted
        too.
        """
        match language:
            case "python":
                evaluation = await settled(_requests.evaluate(self._session, code, timeout))
                return execution(await followed_async(evaluation, on_stdout, on_stderr))
            case "bash":
                script = await settled(_requests.run_script(self._session, code, timeout))
                return script_execution(await followed_async(script, on_stdout, on_stderr))
            case _:
                raise _requests.unknown_language(language)

    async def reset(self) -> None:
        """Ends the interpreter of `run_code`, and starts a fresh one. Files stay. One that a limit has ended needs this."""
        await settled(_requests.reset(self._session))

    async def snapshot(self, label: str | None = None) -> Snapshot:
        """Takes a snapshot of its files, its interpreter and its shell. Commands are no part of it."""
        return Snapshot(await settled(self._session.snapshot(label)))

    async def restore(self, snapshot: Snapshot) -> None:
        """Brings it back to one of its snapshots. Commands that run go on."""
        await settled(self._session.restore(snapshot._native))

    async def fork(self, count: int = 1, snapshot: Snapshot | None = None) -> list[Self]:
        """Opens sandboxes that start from what this one is now, or from one of its snapshots, under its policy."""
        native = None if snapshot is None else snapshot._native
        return [type(self)(session) for session in await settled(self._session.fork(count, native))]

    def explain(self, *, for_model: bool = False) -> str:
        """Returns what its components may import, and by which rule; for a model, what it can do here and what not."""
        return self.policy.explain(for_model=for_model)

    async def close(self) -> None:
        """Closes it: ends all that runs in it, and waits until nothing is left. Once more is no error."""
        await settled(self._session.close())

    kill = close

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"


class AsyncFiles:
    """The files of a sandbox, from outside. A relative path begins at `/home/user`; missing directories are made."""

    def __init__(self, session: _native.Session) -> None:
        self._files = session.files

    @overload
    async def read(self, path: str, format: Literal["text"] = "text") -> str: ...
    @overload
    async def read(self, path: str, format: Literal["bytes"]) -> bytes: ...
    async def read(self, path: str, format: Literal["text", "bytes"] = "text") -> str | bytes:
        """Returns the contents of a file: as text, which must be UTF-8, or as bytes."""
        return _requests.decoded(await settled(self._files.read(path)), format)

    async def write(self, path: str, data: str | bytes) -> None:
        """Writes a file, over what it had."""
        await settled(self._files.write(path, _requests.data_of(data)))

    async def list(self, path: str = ".", depth: int = 1) -> FileInfos:
        """Returns the files in a directory, sorted, at most 10,000; with a greater depth those below its directories too."""
        return _data.listing(await settled(self._files.list(path, depth)))

    async def exists(self, path: str) -> bool:
        """Returns whether there is such a file."""
        return await settled(self._files.exists(path))

    async def rename(self, old: str, new: str) -> None:
        """Gives a file another name, in place of the file that has it."""
        await settled(self._files.rename(old, new))

    async def remove(self, path: str, *, recursive: bool = False) -> None:
        """Removes a file or an empty directory; a directory with what is in it only if that is asked for."""
        await settled(self._files.remove(path, recursive))

    async def make_dir(self, path: str) -> None:
        """Makes a directory, and those above it. One that is there is no error."""
        await settled(self._files.make_dir(path))
