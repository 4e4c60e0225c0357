"""Output of what runs, piece by piece, for functions that receive it as text."""

import codecs
from collections.abc import Callable, Iterator
from typing import Any

from . import _arguments


class Pieces:
    """Reads both outputs from their beginning. A character that is cut between two pieces comes with the second."""

    def __init__(self, on_stdout: Callable[[str], Any] | None, on_stderr: Callable[[str], Any] | None) -> None:
        self._receivers = [_Receiver("on_stdout", on_stdout), _Receiver("on_stderr", on_stderr)]
        self.ended = False

    @property
    def offsets(self) -> tuple[int, int]:
        """Where to go on."""
        stdout, stderr = self._receivers
        return stdout.offset, stderr.offset

    def take(self, piece: tuple[bytes, int, bytes, int, bool]) -> Iterator[tuple[Callable[[str], Any], str]]:
        """Takes what was read. Yields each function that is to be called, and with what."""
        stdout, after_stdout, stderr, after_stderr, ended = piece
        # What it wrote last may be more than one piece.
        self.ended = ended and not stdout and not stderr
        parts = ((stdout, after_stdout), (stderr, after_stderr))
        for receiver, (data, offset) in zip(self._receivers, parts, strict=True):
            receiver.offset = offset
            text = receiver.decoder.decode(data, final=self.ended)
            if text and receiver.call is not None:
                yield receiver.call, text


class _Receiver:
    def __init__(self, name: str, call: Callable[[str], Any] | None) -> None:
        _arguments.receiver(name, call)
        self.call = call
        self.offset = 0
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
