"""What both kinds of sandbox, files and handles have alike: what waits for nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import _arguments, _data, _functions, _native, _requests
from ._data import CommandInfo, FunctionInfo, Receipt
from ._errors import EndedError
from ._file_data import TransferParts
from ._native import Call, Policy
from ._requests import ReceiveBytes

if TYPE_CHECKING:
    import asyncio

_Function = TypeVar("_Function", bound=Callable[..., Any])


class BaseSandbox:
    """What `Sandbox` and `AsyncSandbox` have alike."""

    def __init__(self, session: _native.Session) -> None:
        self._session = session

    @property
    def functions(self) -> list[FunctionInfo]:
        """The functions outside it that its code may call, sorted by name: those of this program, and tools of servers."""
        return _data.functions(self._session.functions())

    @overload
    def function(self, function: _Function, /) -> _Function: ...
    @overload
    def function(self, /, *, name: str | None = None, forks: bool = False) -> Callable[[_Function], _Function]: ...
    def function(self, function: Callable[..., Any] | None = None, /, *, name: str | None = None, forks: bool = False) -> Any:
        """Registers a function that code in the sandbox may call: a decorator, which returns the function as it is.

        `@sandbox.function`, or `@sandbox.function(name="search", forks=True)`: with `forks`, its forks may call it too. Its name, its
        documentation and its types become those that the code sees (`from host import search`, in the shell `host search`). It is
        possible until something is asked of the sandbox: what it may call is decided then. `create` takes `functions` too.
        """

        def register(function: _Function) -> _Function:
            self._session.add_function(_functions.native(function, name, forks, self._loop()))
            return function

        return register if function is None else register(function)

    def _loop(self) -> asyncio.AbstractEventLoop | None:
        """The event loop for functions that are asynchronous; without one they run on the package's own."""
        return None

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

    def _is_open(self) -> bool:
        try:
            self._session.info()
        except EndedError:
            return False
        return True

    def explain(self, *, for_model: bool = False) -> str:
        """Returns what its components may import, and by which rule; for a model, what it can do here and what not."""
        return self._session.explain(for_model)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"


class BaseFiles:
    """What `Files` and `AsyncFiles` have alike."""

    def __init__(self, session: _native.Session) -> None:
        self._files = session.files

    def _uploading(self, host_path: str | os.PathLike[str], path: str | None) -> Call[TransferParts]:
        host = os.fsdecode(host_path)
        name = os.path.basename(os.path.abspath(host)) if path is None else path
        if not name:
            raise ValueError(f"`{host}` has no name: say which the copy gets (`path`)")
        return self._files.upload(host, name)

    def _downloading(self, path: str, host_path: str | os.PathLike[str], overwrite: bool, max_bytes: int) -> Call[TransferParts]:
        return self._files.download(path, os.fsdecode(host_path), overwrite, _arguments.number("max_bytes", max_bytes, 0))

    def _listing(self, path: str, depth: int) -> Call[str]:
        return self._files.list(path, _arguments.number("depth", depth, 1))

    def _watching(self, path: str, capacity: int) -> Call[_native.Watch]:
        return self._files.watch(path, _arguments.number("capacity", capacity, 1))


class BaseCommandHandle:
    """What `CommandHandle` and `AsyncCommandHandle` have alike."""

    def __init__(self, command: _native.Command) -> None:
        self._command = command

    @property
    def id(self) -> int:
        """Its number, unique in its sandbox."""
        return self._command.id

    def info(self) -> CommandInfo:
        """Returns what is known about it."""
        return _data.command(self._command.info())

    def close_stdin(self) -> None:
        """Closes its input, after what was written."""
        self._command.close_stdin()

    def signal(self, number: int) -> None:
        """Sends the signal with this number to its first process."""
        self._command.signal(_arguments.number("number", number, 0, 255))

    def interrupt(self) -> None:
        """Sends SIGINT to its foreground, as Ctrl-C at a terminal does."""
        self._command.interrupt()

    def kill(self) -> None:
        """Ends all its processes, those in the background too."""
        self._command.kill()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"


class BasePtyHandle(BaseCommandHandle):
    """What `PtyHandle` and `AsyncPtyHandle` have alike."""

    def __init__(self, command: _native.Command, on_data: ReceiveBytes | None = None) -> None:
        super().__init__(command)
        self._on_data = on_data
        self._offset = 0

    def resize(self, rows: int, columns: int) -> None:
        """Sets the size of its terminal, in characters. The programs at it are told (SIGWINCH)."""
        self._command.resize(_requests.size("rows", rows), _requests.size("columns", columns))
