"""The sandbox of programs with an event loop: the same names as in `_sandbox`."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from . import _data, _functions, _native, _requests
from ._async_commands import AsyncCommands
from ._async_files import AsyncFiles
from ._async_pty import AsyncPty
from ._asyncio import running_loop, running_task, settled
from ._base import BaseSandbox
from ._data import Artifacts
from ._engine import Engine
from ._following import evaluated_async, ran_async
from ._native import Policy
from ._requests import Language, Mount, Receive
from ._results import Execution, execution, script_execution
from ._snapshot import Snapshot
from ._turns import Turn, check

if TYPE_CHECKING:
    import asyncio


class AsyncSandbox(BaseSandbox):
    """A sandbox: files, commands and a live Python of its own, under a policy.

    Make one with `await AsyncSandbox.create()`, and use it in an `async with` block, whose end closes it. Without one it is closed when
    the program has no object of it any more. Its calls have the names of those of `Sandbox`, and are awaited: those that answer at once
    are not. If the task of a call is cancelled, what it runs ends.
    """

    def __init__(self, session: _native.Session) -> None:
        super().__init__(session)
        self.commands: AsyncCommands = AsyncCommands(session)
        self.files: AsyncFiles = AsyncFiles(session)
        self.pty: AsyncPty = AsyncPty(session)

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
        functions: Iterable[Callable[..., Any]] = (),
        secrets: Mapping[str, str] | None = None,
        engine: Engine | None = None,
    ) -> Self:
        """Opens a sandbox.

        `policy`: the name of one of wisp's (`offline`, `fetch`, …), the path of a file, TOML text, or a `Policy`; one line that ends in
        `.toml` is a path. `mounts`: directories and files of the host. `env`: variables of its environment; `policy.text` shows their
        values, so what must stay secret belongs in `secrets`. `files`: files to write, by their paths. `timeout`: the seconds that a
        command or a piece of code may take, in place of the policy's `limits.wall`.

        `functions`: functions of this program that its code may call (`from host import NAME`), as those that `function` registers.
        `secrets`: the values of the policy's secrets (`network.secret`), by their variables, in place of those in the environment: the
        code has placeholders. `engine`: one of the program's own.

        `key`: if the engine has a sandbox with this key, under the same policy and environment, returns that one, and writes no files:
        it keeps its secrets, and must have these functions. A sandbox with a key stays when its objects are gone: until it is closed,
        or has been idle for 30 minutes.
        """
        registered = _functions.natives(functions, running_loop())
        opening = _requests.open_session(policy, mounts, env, files, timeout, key, registered, secrets, engine)
        return cls(await settled(opening))

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
                with Turn(self._session, language, running_task()):
                    return execution(await evaluated_async(self._session, _requests.code(code, timeout), on_stdout, on_stderr))
            case "bash":
                with Turn(self._session, language, running_task()):
                    return script_execution(await ran_async(self._session, _requests.script(code, timeout), None, on_stdout, on_stderr))
            case _:
                raise _requests.unknown_language(language)

    async def reset(self) -> None:
        """Ends the interpreter of `run_code`, and starts a fresh one. Files stay. One that a limit has ended needs this."""
        await settled(_requests.reset(self._session))

    async def snapshot(self, label: str | None = None) -> Snapshot:
        """Takes a snapshot of its files, its interpreter and its shell. Commands are no part of it."""
        check(self._session, "python", "bash", task=running_task())
        return Snapshot(await settled(self._session.snapshot(label)))

    async def restore(self, snapshot: Snapshot) -> None:
        """Brings it back to one of its snapshots. Commands that run go on."""
        check(self._session, "python", "bash", task=running_task())
        await settled(_requests.restore(self._session, snapshot))

    async def fork(self, count: int = 1, snapshot: Snapshot | None = None) -> list[Self]:
        """Opens sandboxes that start from what this one is now, or from one of its snapshots, under its policy."""
        if snapshot is None:
            check(self._session, "python", "bash", task=running_task())
        return [type(self)(session) for session in await settled(_requests.fork(self._session, count, snapshot))]

    async def map(self, cells: Iterable[str], *, timeout: float | None = None, concurrency: int | None = None) -> list[Execution]:
        """Runs each cell of Python code in a fork of what this sandbox is now, and returns what they came to, in their order.

        A fork has the files and the interpreter's state, and is closed after its cell; this sandbox does not change. At most
        `concurrency` run at once: as many as the machine has processors, if it is not given. What fails in a cell is in its execution,
        and a limit that ends one ends no other. A fault of wisp or the machine ends them all, and is raised. After `timeout` seconds a
        cell is interrupted. If the task is cancelled, they all end.
        """
        check(self._session, "python", "bash", task=running_task())
        return [execution(parts) for parts in await settled(_requests.map_cells(self._session, cells, timeout, concurrency))]

    async def artifacts(self) -> Artifacts:
        """Returns the files of the output directory, `/output`, as they are now: what an outcome has in `files`.

        The policy's `output.max_files` and `output.max_bytes` apply. `files.read` has their contents.
        """
        return _data.artifacts(await settled(self._session.artifacts()))

    async def call_function(self, name: str, arguments: Mapping[str, Any] | bytes | None = None) -> Any:
        """Calls one of `functions` as its code may: the policy decides, its limits count the call, and it leaves a receipt.

        Returns the result: what JSON has, bytes, or a list if the function gives items.
        """
        return _functions.received(await settled(self._session.call_function(name, _functions.sent(arguments))))

    def _loop(self) -> "asyncio.AbstractEventLoop | None":
        return running_loop()

    async def is_running(self) -> bool:
        """Returns whether it is open: it was not closed, and it has not expired."""
        return self._is_open()

    async def close(self) -> None:
        """Closes it: ends all that runs in it, and waits until nothing is left. Once more is no error."""
        await settled(self._session.close())

    kill = close

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not _native.is_forked():
            await self.close()
