"""What the modules `_bz2`, `_lzma` and `_zstd` share: streams of the extension module `_wisp_codecs` (components/codecs)."""

import struct

import _wisp_codecs

#: The codecs, by number.
BZIP2, UNBZIP2, XZ, UNXZ, ZSTD, UNZSTD = range(6)

#: What a compressor does after it has taken its input.
KEEP, BLOCK, END = range(3)

#: A parameter that keeps its default.
UNSET = 0xFFFFFFFF


def result(value, error):
    """A result of the extension module; raises `error` if it is the text of a failure."""
    if type(value) is str:
        raise MemoryError if value == "memory" else error(value)
    return value


def open(kind, parameters, error):
    """A new stream."""
    return result(_wisp_codecs.open(kind, struct.pack(f"<{len(parameters)}I", *parameters)), error)


def compress(stream, data, flush, error):
    """The output of a compressor for more input."""
    return result(_wisp_codecs.step(stream, data, 0, flush, -1), error)[1]


class Compressor:
    """Compresses one stream, as the classes of CPython do: nothing follows `flush`. A subclass opens `_stream`."""

    __slots__ = ("_stream",)

    _error = OSError

    def compress(self, data, /):
        """Provide data to the compressor object. Returns a chunk of compressed data if possible, or b'' otherwise."""
        if self._stream is None:
            raise ValueError("Compressor has been flushed")
        return compress(self._stream, data, KEEP, self._error)

    def flush(self):
        """Finish the compression process. Returns the compressed data left in internal buffers."""
        if self._stream is None:
            raise ValueError("Repeated call to flush()")
        stream, self._stream = self._stream, None
        return compress(stream, b"", END, self._error)


class Decompressor:
    """Decompresses one stream, as the classes of CPython do: input that is left when `max_length` is reached is kept."""

    __slots__ = ("_at", "_data", "_stream", "eof", "needs_input", "unused_data")

    _error = OSError
    _over = "End of stream already reached"

    def _begin(self, stream):
        self._stream, self._data, self._at = stream, b"", 0
        self.eof, self.needs_input, self.unused_data = False, True, b""

    def decompress(self, data, max_length=-1):
        """Decompress more input into at most `max_length` bytes. Returns bytes."""
        if self.eof:
            raise EOFError(self._over)
        data = bytes(memoryview(data)) if type(data) is not bytes else data
        if self._at < len(self._data):
            data = self._data[self._at :] + data if data else self._data
            self._at = 0 if data is not self._data else self._at
        else:
            self._at = 0
        done = result(_wisp_codecs.step(self._stream, data, self._at, KEEP, max_length), self._error)
        consumed, output, self.eof, behind = done
        self._data, self._at = data, self._at + consumed
        if self.eof:
            self.unused_data = behind + data[self._at :]
            self._data, self._at, self.needs_input = b"", 0, False
        else:
            self.needs_input = max_length < 0 or len(output) < max_length
            if self._at == len(data):
                self._data, self._at = b"", 0
        return output
