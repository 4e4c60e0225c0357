"""Engines of a program's own."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Self

from . import _native
from ._arguments import number
from ._native import Policy
from ._requests import policy_of


class Engine:
    """What sandboxes run on: the compiled components, and room for processes. Without `engine`, `create` takes one for the whole process.

    `cache_directory` has the machine code of components, in place of `~/.cache/wisp`, and must be private to the user. `components`
    is a folder of components, in place of those of the package. At most `max_processes` run at once, in all of its sandboxes.

    It lives as long as it has sandboxes. `close`, or the end of a `with` block, closes them all.
    """

    def __init__(
        self,
        *,
        cache_directory: str | os.PathLike[str] | None = None,
        components: str | os.PathLike[str] | None = None,
        max_processes: int | None = None,
    ) -> None:
        most = None if max_processes is None else number("max_processes", max_processes, 1, (1 << 32) - 1)
        self._native: _native.Engine = _native.Engine(cache_directory, components, most)

    @classmethod
    def default(cls) -> Self:
        """Returns the one that `create` takes without `engine`."""
        engine = cls.__new__(cls)
        engine._native = _native.Engine.default()
        return engine

    def warm(self, policy: Policy | str | os.PathLike[str] = "offline") -> None:
        """Compiles and prepares what sandboxes with this policy need, so that their first calls are fast.

        The first time on a machine this takes seconds. On an event loop: `await asyncio.to_thread(engine.warm)`.
        """
        self._native.warm(policy_of(policy)).wait()

    def close(self) -> None:
        """Closes its sandboxes, and lets none be made any more. Once more is no error."""
        self._native.close().wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        # In a forked process it is not its own, and how the block was left counts.
        if not _native.is_forked():
            self.close()
