"""Waiting for what runs, with its output on the way. It ends if nobody waits for it any more."""

import inspect

from ._asyncio import settled
from ._native import Command, Evaluation
from ._pieces import Pieces
from ._requests import Receive


def followed(runs: Command | Evaluation, on_stdout: Receive | None, on_stderr: Receive | None) -> tuple[bytes, bytes, str]:
    """Waits for the end, and hands on the output. Returns both outputs and the outcome."""
    try:
        if on_stdout is not None or on_stderr is not None:
            pieces = Pieces(on_stdout, on_stderr)
            while not pieces.ended:
                for receive, text in pieces.take(runs.read(*pieces.offsets).wait()):
                    receive(text)
        return runs.outcome().wait()
    except BaseException:
        # Ctrl-C, or what a function raised.
        runs.end()
        raise


async def followed_async(runs: Command | Evaluation, on_stdout: Receive | None, on_stderr: Receive | None) -> tuple[bytes, bytes, str]:
    """Does the same on an event loop. The functions may be asynchronous."""
    try:
        if on_stdout is not None or on_stderr is not None:
            pieces = Pieces(on_stdout, on_stderr)
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
