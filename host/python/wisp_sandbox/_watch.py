"""Watches on files of a sandbox."""

from __future__ import annotations

from types import TracebackType

from . import _file_data, _native
from ._arguments import seconds
from ._asyncio import settled
from ._errors import EndedError
from ._file_data import FileChange


class _BaseWatch:
    def __init__(self, watch: _native.Watch) -> None:
        self._watch = watch
        # A change is asked for by the number of the one before it, so that one that was not received comes again.
        self._number = 0

    def close(self) -> None:
        """Ends it, and what waits for its changes. Once more is no error."""
        self._watch.close()

    def _received(self, text: str | None) -> FileChange | None:
        if text is None:
            return None
        change = _file_data.change(text)
        self._number = change.number
        return change


class Watch(_BaseWatch):
    """Changes of files, in the order in which they were made: iterate over it, in one thread.

    The iteration ends when the watch or its sandbox is closed. Use it in a `with` block, whose end closes it; without one it ends with
    its last object.
    """

    def next(self, timeout: float | None = None) -> FileChange | None:
        """Returns the next change, and waits for one. None if there was none in `timeout` seconds.

        If the watch or its sandbox is closed, raises `EndedError`.
        """
        return self._received(self._watch.next(self._number, seconds("timeout", timeout)).wait())

    def __iter__(self) -> Watch:
        return self

    def __next__(self) -> FileChange:
        try:
            change = self.next()
        except EndedError:
            raise StopIteration from None
        if change is None:
            raise StopIteration
        return change

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not _native.is_forked():
            self.close()


class AsyncWatch(_BaseWatch):
    """Changes of files, in the order in which they were made: iterate over it with `async for`, in one task.

    The iteration ends when the watch or its sandbox is closed. Use it in an `async with` block, whose end closes it; without one it ends
    with its last object. If a task that waits for a change is cancelled, no change is lost.
    """

    async def next(self, timeout: float | None = None) -> FileChange | None:
        """Returns the next change, and waits for one. None if there was none in `timeout` seconds.

        If the watch or its sandbox is closed, raises `EndedError`.
        """
        return self._received(await settled(self._watch.next(self._number, seconds("timeout", timeout))))

    def __aiter__(self) -> AsyncWatch:
        return self

    async def __anext__(self) -> FileChange:
        try:
            change = await self.next()
        except EndedError:
            raise StopAsyncIteration from None
        if change is None:
            raise StopAsyncIteration
        return change

    async def __aenter__(self) -> AsyncWatch:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not _native.is_forked():
            self.close()
