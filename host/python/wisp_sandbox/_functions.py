"""Functions of the program that code in sandboxes may call: from the call of a guest to the answer that it gets."""

from __future__ import annotations

import contextvars
import functools
import inspect
import json
import types
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _native
from ._asyncio import settled
from ._signatures import Signature, result_of
from ._workers import LOOP, WORKERS

if TYPE_CHECKING:
    import asyncio

_END = object()
# Maximum bytes of what a failure says. The guest gets 8 KiB of it, with its name and the mark of what is cut.
_LONGEST = 7900


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
    return _native.Function(info, parameters, forks, called.submit, _identity(function))


def _identity(function: Callable[..., Any]) -> tuple[int, int]:
    """Which object it is, as long as it is there. That of a method is made anew whenever it is looked at."""
    if isinstance(function, types.MethodType):
        return id(function.__self__), id(function.__func__)
    return id(function), 0


class _Called:
    """A function that blocks its thread."""

    def __init__(self, function: Callable[..., Any], signature: Signature) -> None:
        self._function = function
        self._signature = signature

    def submit(self, answer: _native.Answer, sent: str | bytes) -> None:
        """Hands on a call: waits for nothing."""
        begin = _Call(self._function, self._signature, answer, sent).begin
        try:
            WORKERS.submit(answer.sandbox, begin)
        except RuntimeError as error:
            _cannot_run(answer, self._signature.name, error)
        else:
            # If it has not begun then, it never does.
            answer.when_gone(functools.partial(WORKERS.withdraw, answer.sandbox), begin)


class _Call:
    """A call of such a function, which has a thread while it makes its result, or an item: none while nobody asks for one."""

    def __init__(self, function: Callable[..., Any], signature: Signature, answer: _native.Answer, sent: str | bytes) -> None:
        self._function = function
        self._signature = signature
        self._answer = answer
        self._sent = sent
        # Each part may have another thread, and all have the same variables of `contextvars`, which are those of no other call.
        self._context = contextvars.Context()
        self._items: Iterator[Any] | None = None

    def begin(self) -> None:
        """Calls the function."""
        self._do(self._begin)

    def _do(self, part: Callable[[], bool]) -> None:
        """Does a part of the call, which returns whether there are others."""
        goes_on = False
        try:
            goes_on = self._context.run(part)
            if goes_on:
                # From here on another thread may have it.
                self._answer.wanted().start(self._hand_on, self._step)
        except BaseException as error:
            # Also what would end a program: here it ends a call.
            goes_on = False
            _failed(self._answer, self._signature.name, error)
        finally:
            if not goes_on:
                self._end()

    def _begin(self) -> bool:
        if self._answer.gone():
            return False
        sent, self._sent = self._sent, ""
        positional, named = self._signature.read(sent)
        # The function may hold what it is given, and nothing else does.
        del sent
        found = self._function(*positional, **named)
        if self._signature.items:
            self._items = iter(found)
            return True
        self._answer.value(result_of(self._signature.name, found))
        return False

    def _hand_on(self, step: Callable[[bool, BaseException | None], None], wanted: bool, error: BaseException | None) -> None:
        """Has a thread do the next step. Waits for nothing."""
        try:
            WORKERS.submit(self._answer.sandbox, functools.partial(step, wanted, error))
        except RuntimeError as refused:
            _cannot_run(self._answer, self._signature.name, refused)

    def _step(self, wanted: bool, _error: BaseException | None) -> None:
        """Makes the item that is asked for, or ends, if none ever will be."""
        self._do(self._next if wanted else lambda: False)

    def _next(self) -> bool:
        item = _END if self._items is None else next(self._items, _END)
        if item is _END:
            self._answer.end()
            return False
        self._answer.value(result_of(self._signature.name, item))
        return True

    def _end(self) -> None:
        """Ends the items: what a generator does at its end it does now."""
        close = getattr(self._items, "close", None)
        self._items = None
        try:
            if close is not None:
                self._context.run(close)
        finally:
            self._answer.done()


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
            _cannot_run(answer, self._signature.name, error)

    def _begin(self, loop: asyncio.AbstractEventLoop, answer: _native.Answer, sent: str | bytes) -> None:
        if answer.gone():
            answer.done()
            return
        task = loop.create_task(self._answer(answer, sent), name=f"wisp function {self._signature.name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # Not the task itself: its last reference would be dropped in a thread of wisp's, and what that calls run wherever Python is next.
        answer.when_gone(loop.call_soon_threadsafe, functools.partial(_cancel, weakref.ref(task)))

    async def _answer(self, answer: _native.Answer, sent: str | bytes) -> None:
        import asyncio

        try:
            positional, named = self._signature.read(sent)
            del sent
            found = self._function(*positional, **named)
            if inspect.isawaitable(found):
                found = await found
            if self._signature.items:
                await self._items(answer, found)
            else:
                answer.value(result_of(self._signature.name, found))
        except (asyncio.CancelledError, GeneratorExit):
            answer.failure("Cancelled", f"{self._signature.name} was cancelled")
            raise
        except BaseException as error:
            # Also what would end the loop, with the calls of others. Ctrl-C at a loop of the program's is for that.
            _failed(answer, self._signature.name, error)
            if isinstance(error, KeyboardInterrupt) and self._loop is not None:
                raise
        finally:
            answer.done()

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


def _cannot_run(answer: _native.Answer, name: str, error: RuntimeError) -> None:
    """Says that there is no thread, or no event loop."""
    answer.failure("Ended", _safe(f"{name} cannot run: {error}"))
    answer.done()


def _cancel(task: weakref.ref[asyncio.Task[None]]) -> None:
    found = task()
    if found is not None:
        found.cancel()


def _failed(answer: _native.Answer, name: str, error: BaseException) -> None:
    """Says to the guest what went wrong, without a traceback: that is the program's, and goes to its log."""
    import logging

    try:
        logging.getLogger("wisp_sandbox.functions").info("the function %s failed", name, exc_info=error)
    finally:
        answer.failure(_safe(type(error).__name__), _text(error))


def _text(error: BaseException) -> str:
    try:
        return _safe(str(error))
    except BaseException:
        # What makes the text is the program's too.
        return _safe(type(error).__name__)


def _safe(text: str) -> str:
    """Returns a text that a guest can get: without halves of pairs of surrogates, and not too long."""
    data = text[:_LONGEST].encode("utf-8", "backslashreplace")
    if len(text) <= _LONGEST and len(data) <= _LONGEST:
        return data.decode()
    return f"{data[:_LONGEST].decode('utf-8', 'ignore')}… (cut: {len(text)} characters)"


def sent(arguments: Mapping[str, Any] | bytes | None) -> str | bytes:
    """Returns arguments of a call from outside as the module in Rust takes them."""
    return result_of("the call", {} if arguments is None else arguments)


def received(found: str | bytes | list[str | bytes]) -> Any:
    """Returns what a function has answered: a value, or a list of items."""
    if isinstance(found, list):
        return [received(item) for item in found]
    return found if isinstance(found, bytes) else json.loads(found)
