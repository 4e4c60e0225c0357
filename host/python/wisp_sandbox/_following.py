"""Running to the end, with the output on the way. What runs ends if nobody waits for it any more."""

import inspect

from ._asyncio import settled
from ._native import Command, Evaluation, Session
from ._pieces import Pieces
from ._requests import Receive

_Parts = tuple[bytes, bytes, str]


def evaluated(session: Session, request: str, on_stdout: Receive | None, on_stderr: Receive | None) -> _Parts:
    """Evaluates code. Returns both outputs and the evaluation."""
    if on_stdout is None and on_stderr is None:
        return session.evaluated(request).wait()
    pieces = Pieces(on_stdout, on_stderr)
    return _followed(session.evaluate(request).wait(), pieces)


def ran(session: Session, request: str, stdin: bytes | None, on_stdout: Receive | None, on_stderr: Receive | None) -> _Parts:
    """Runs a command. Returns both outputs and the outcome."""
    if on_stdout is None and on_stderr is None:
        return session.ran(request, stdin).wait()
    pieces = Pieces(on_stdout, on_stderr)
    return _followed(session.start(request, stdin, True).wait(), pieces)


async def evaluated_async(session: Session, request: str, on_stdout: Receive | None, on_stderr: Receive | None) -> _Parts:
    """Does the same on an event loop. The functions may be asynchronous."""
    if on_stdout is None and on_stderr is None:
        return await settled(session.evaluated(request))
    pieces = Pieces(on_stdout, on_stderr)
    return await _followed_async(await settled(session.evaluate(request)), pieces)


async def ran_async(session: Session, request: str, stdin: bytes | None, on_stdout: Receive | None, on_stderr: Receive | None) -> _Parts:
    """Does the same on an event loop. The functions may be asynchronous."""
    if on_stdout is None and on_stderr is None:
        return await settled(session.ran(request, stdin))
    pieces = Pieces(on_stdout, on_stderr)
    return await _followed_async(await settled(session.start(request, stdin, True)), pieces)


def _followed(runs: Command | Evaluation, pieces: Pieces) -> _Parts:
    try:
        while not pieces.ended:
            for receive, text in pieces.take(runs.read(*pieces.offsets).wait()):
                receive(text)
        return runs.outcome().wait()
    except BaseException:
        # Ctrl-C, or what a function raised.
        runs.end()
        raise


async def _followed_async(runs: Command | Evaluation, pieces: Pieces) -> _Parts:
    try:
        while not pieces.ended:
            for receive, text in pieces.take(await settled(runs.read(*pieces.offsets))):
                received = receive(text)
                if inspect.isawaitable(received):
                    await received
        return await settled(runs.outcome())
    except BaseException:
        # Its task was cancelled, or what a function raised.
        runs.end()
        raise
