"""The sandbox of programs without an event loop."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from . import _data, _functions, _native, _requests
from ._base import BaseSandbox
from ._commands import Commands
from ._data import Artifacts
from ._engine import Engine
from ._files import Files
from ._following import evaluated, ran
from ._native import Policy
from ._pty import Pty
from ._requests import Language, Mount, Receive
from ._results import Execution, execution, script_execution
from ._snapshot import Snapshot
from ._turns import Turn, check


class Sandbox(BaseSandbox):
    """A sandbox: files, commands and a live Python of its own, under a policy.

    Make one with `Sandbox.create`, and use it in a `with` block, whose end closes it. Without one it is closed when the program has no
    object of it any more. `AsyncSandbox` has the same names for programs with an event loop.
    """

    def __init__(self, session: _native.Session) -> None:
        super().__init__(session)
        self.commands: Commands = Commands(session)
        self.files: Files = Files(session)
        self.pty: Pty = Pty(session)

    @classmethod
    def create(
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
        registered = _functions.natives(functions, None)
        opening = _requests.open_session(policy, mounts, env, files, timeout, key, registered, secrets, engine)
        return cls(opening.wait())

    def run_code(
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
        `error` and `outcome`. `on_stdout` and `on_stderr` are called with each piece of text as it is written. After `timeout` seconds
        Python code is interrupted, and the interpreter stays alive. Ctrl-C interrupts it too.
        """
        match language:
            case "python":
                with Turn(self._session, language):
                    return execution(evaluated(self._session, _requests.code(code, timeout), on_stdout, on_stderr))
            case "bash":
                with Turn(self._session, language):
                    return script_execution(ran(self._session, _requests.script(code, timeout), None, on_stdout, on_stderr))
            case _:
                raise _requests.unknown_language(language)

    def reset(self) -> None:
        """Ends the interpreter of `run_code`, and starts a fresh one. Files stay. One that a limit has ended needs this."""
        _requests.reset(self._session).wait()

    def snapshot(self, label: str | None = None) -> Snapshot:
        """Takes a snapshot of its files, its interpreter and its shell. Commands are no part of it."""
        check(self._session, "python", "bash")
        return Snapshot(self._session.snapshot(label).wait())

    def restore(self, snapshot: Snapshot) -> None:
        """Brings it back to one of its snapshots. Commands that run go on."""
        check(self._session, "python", "bash")
        _requests.restore(self._session, snapshot).wait()

    def fork(self, count: int = 1, snapshot: Snapshot | None = None) -> list[Self]:
        """Opens sandboxes that start from what this one is now, or from one of its snapshots, under its policy."""
        if snapshot is None:
            check(self._session, "python", "bash")
        return [type(self)(session) for session in _requests.fork(self._session, count, snapshot).wait()]

    def map(self, cells: Iterable[str], *, timeout: float | None = None, concurrency: int | None = None) -> list[Execution]:
        """Runs each cell of Python code in a fork of what this sandbox is now, and returns what they came to, in their order.

        A fork has the files and the interpreter's state, and is closed after its cell; this sandbox does not change. At most
        `concurrency` run at once: as many as the machine has processors, if it is not given. What fails in a cell is in its execution,
        and a limit that ends one ends no other. A fault of wisp or the machine ends them all, and is raised. After `timeout` seconds a
        cell is interrupted. Ctrl-C ends them all.
        """
        check(self._session, "python", "bash")
        return [execution(parts) for parts in _requests.map_cells(self._session, cells, timeout, concurrency).wait()]

    def artifacts(self) -> Artifacts:
        """Returns the files of the output directory, `/output`, as they are now: what an outcome has in `files`.

        The policy's `output.max_files` and `output.max_bytes` apply. `files.read` has their contents.
        """
        return _data.artifacts(self._session.artifacts().wait())

    def call_function(self, name: str, arguments: Mapping[str, Any] | bytes | None = None) -> Any:
        """Calls one of `functions` as its code may: the policy decides, its limits count the call, and it leaves a receipt.

        Returns the result: what JSON has, bytes, or a list if the function gives items.
        """
        return _functions.received(self._session.call_function(name, _functions.sent(arguments)).wait())

    def is_running(self) -> bool:
        """Returns whether it is open: it was not closed, and it has not expired."""
        return self._is_open()

    def close(self) -> None:
        """Closes it: ends all that runs in it, and waits until nothing is left. Once more is no error."""
        self._session.close().wait()

    kill = close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        # In a forked process it is not its own, and how the block was left counts.
        if not _native.is_forked():
            self.close()
