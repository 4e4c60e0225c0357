"""The part of `bz2` that CPython has in C, on a Rust library (libbz2-rs)."""

from _wisp import codecs as _codecs

__all__ = ["BZ2Compressor", "BZ2Decompressor"]


class BZ2Compressor(_codecs.Compressor):
    """Create a compressor object for compressing data incrementally."""

    __slots__ = ()

    def __init__(self, compresslevel=9, /):
        if not 1 <= compresslevel <= 9:
            raise ValueError("compresslevel must be between 1 and 9")
        self._stream = _codecs.open(_codecs.BZIP2, [compresslevel], ValueError)


class BZ2Decompressor(_codecs.Decompressor):
    """Create a decompressor object for decompressing data incrementally."""

    __slots__ = ()

    def __init__(self):
        self._begin(_codecs.open(_codecs.UNBZIP2, [], OSError))


BZ2Compressor.__module__ = BZ2Decompressor.__module__ = "_bz2"
