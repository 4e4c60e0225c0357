"""Who runs code in which sandbox: nobody may wait for a turn that is its own."""

from __future__ import annotations

import threading
import weakref
from types import TracebackType

from ._errors import RequestError
from ._native import Session

# Threads, by their numbers, or tasks; the id of a sandbox; whether it runs code of Python or of the shell there.
# A turn whose block Ctrl-C has left between two steps is gone with its object.
_RUNNING: weakref.WeakValueDictionary[tuple[object, str, str], Turn] = weakref.WeakValueDictionary()


class Turn:
    """The turn of a thread, or of a task, that runs code in a sandbox, until the end of a `with` block.

    Its functions for output run there too. What they ask of the same sandbox would wait for the end of that code, which waits for them.
    Nothing is known of what others do for them: that waits, as it would without this.
    """

    def __init__(self, session: Session, language: str, task: object = None) -> None:
        check(session, language, task=task)
        self._running = _who(task), session.id, language

    def __enter__(self) -> None:
        _RUNNING[self._running] = self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        _RUNNING.pop(self._running, None)


def check(session: Session, *languages: str, task: object = None) -> None:
    """Raises `RequestError` if this thread, or this task, runs code of one of these languages in a sandbox: all that wait for their end."""
    who, id = _who(task), session.id
    if any((who, id, language) in _RUNNING for language in languages):
        runner = "thread" if task is None else "task"
        message = (
            f"this {runner} runs code in the sandbox already, which goes on only when what receives its output (`on_stdout`, `on_stderr`) "
            "returns, and this would wait for its end: do it after that `run_code`, or in another sandbox"
        )
        raise RequestError({"code": "conflict", "fault": "caller", "retryable": False, "message": message})


def _who(task: object) -> object:
    return threading.get_ident() if task is None else task
