"""Functions of the program that code in sandboxes may call: from the call of a guest to the answer that it gets."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _native
from ._asyncio import settled
from ._signatures import Signature, result_of
from ._workers import LOOP, WORKERS

if TYPE_CHECKING:
    import asyncio

_END = object()


def native(function: Callable[..., Any], name: str | None, forks: bool, loop: asyncio.AbstractEventLoop | None) -> _native.Function:
    """Returns a function as the module in Rust takes it.

    One that is asynchronous runs on `loop`, or on an event loop of the package's own; any other in a thread.

    Raises `TypeError` or `ValueError` if guests could not call it.
    """
    return _native_of(function, Signature(function, name), forks, loop)


def natives(functions: Iterable[Callable[..., Any]], loop: asyncio.AbstractEventLoop | None) -> list[_native.Function]:
    """Returns functions of a new sandbox."""
    found: dict[str, _native.Function] = {}
    for function in functions:
        signature = Signature(function)
        if signature.name in found:
            raise ValueError(f"two functions have the name `{signature.name}`: rename one of them")
        found[signature.name] = _native_of(function, signature, False, loop)
    return list(found.values())


def _native_of(function: Callable[..., Any], signature: Signature, forks: bool, loop: asyncio.AbstractEventLoop | None) -> _native.Function:
    called = _Async(function, signature, loop) if signature.is_async else _Called(function, signature)
    info, parameters = signature.described()
    return _native.Function(info, parameters, forks, called.submit)


class _Called:
    """A function that blocks its thread, for each call one."""

    def __init__(self, function: Callable[..., Any], signature: Signature) -> None:
        self._function = function
        self._signature = signature

    def submit(self, answer: _native.Answer, sent: str | bytes) -> None:
        """Hands on a call: waits for nothing."""
        try:
            WORKERS.submit(functools.partial(self._answer, answer, sent))
        except RuntimeError as error:
            # The interpreter exits, or the system has no thread.
            answer.failure("Ended", f"{self._signature.name} cannot run: {error}")

    def _answer(self, answer: _native.Answer, sent: str | bytes) -> None:
        try:
            positional, named = self._signature.read(sent)
            found = self._function(*positional, **named)
            if self._signature.items:
                self._items(answer, found)
            else:
                answer.value(result_of(self._signature.name, found))
        except BaseException as error:
            # Also what would end a program: here it ends a call.
            _failed(answer, self._signature.name, error)

    def _items(self, answer: _native.Answer, items: Iterable[Any]) -> None:
        """Gives each item when it is asked for."""
        iterator = iter(items)
        try:
            while answer.wanted().wait():
                item = next(iterator, _END)
                if item is _END:
                    answer.end()
                    return
                answer.value(result_of(self._signature.name, item))
        finally:
            # What a generator does at its end it does now, in this thread.
            close = getattr(iterator, "close", None)
            if close is not None:
                close()


class _Async:
    """A function of an event loop, for each call a task, which is cancelled if the guest waits no longer."""

    def __init__(self, function: Callable[..., Any], signature: Signature, loop: asyncio.AbstractEventLoop | None) -> None:
        self._function = function
        self._signature = signature
        self._loop = loop
        # The loop itself does not keep them.
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(self, answer: _native.Answer, sent: str | bytes) -> None:
        """Hands on a call: waits for nothing."""
        try:
            loop = LOOP.get() if self._loop is None else self._loop
            loop.call_soon_threadsafe(self._begin, loop, answer, sent)
        except RuntimeError as error:
            # The loop is closed, or the interpreter exits.
            answer.failure("Ended", f"{self._signature.name} cannot run: {error}")

    def _begin(self, loop: asyncio.AbstractEventLoop, answer: _native.Answer, sent: str | bytes) -> None:
        task = loop.create_task(self._answer(answer, sent), name=f"wisp function {self._signature.name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        answer.when_gone(loop.call_soon_threadsafe, task.cancel)

    async def _answer(self, answer: _native.Answer, sent: str | bytes) -> None:
        import asyncio

        try:
            positional, named = self._signature.read(sent)
            found = self._function(*positional, **named)
            if inspect.isawaitable(found):
                found = await found
            if self._signature.items:
                await self._items(answer, found)
            else:
                answer.value(result_of(self._signature.name, found))
        except asyncio.CancelledError:
            answer.failure("Cancelled", f"{self._signature.name} was cancelled")
            raise
        except Exception as error:
            _failed(answer, self._signature.name, error)

    async def _items(self, answer: _native.Answer, items: Any) -> None:
        """Gives each item when it is asked for."""
        iterator = aiter(items)
        try:
            while await settled(answer.wanted()):
                item = await anext(iterator, _END)
                if item is _END:
                    answer.end()
                    return
                answer.value(result_of(self._signature.name, item))
        finally:
            close = getattr(iterator, "aclose", None)
            if close is not None:
                await close()


def _failed(answer: _native.Answer, name: str, error: BaseException) -> None:
    """Says to the guest what went wrong, without a traceback: that is the program's, and goes to its log."""
    import logging

    logging.getLogger("wisp_sandbox.functions").info("the function %s failed", name, exc_info=error)
    answer.failure(type(error).__name__, str(error))


def sent(arguments: Mapping[str, Any] | bytes | None) -> str | bytes:
    """Returns arguments of a call from outside as the module in Rust takes them."""
    return result_of("the call", {} if arguments is None else arguments)


def received(found: str | bytes | list[str | bytes]) -> Any:
    """Returns what a function has answered: a value, or a list of items."""
    if isinstance(found, list):
        return [received(item) for item in found]
    return found if isinstance(found, bytes) else json.loads(found)
