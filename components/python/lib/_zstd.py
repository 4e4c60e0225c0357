"""The part of `compression.zstd` that CPython has in C, on a Rust library (ruzstd).

The compressor has one level, which is about as good as zstd's 1; the other parameters are accepted and change nothing, except
the checksum and the size of the content. There are no dictionaries.
"""

from _wisp import codecs as _codecs

zstd_version, zstd_version_number = "1.5.7", 10507
ZSTD_CLEVEL_DEFAULT = 3
ZSTD_DStreamOutSize = 131072
ZSTD_c_compressionLevel, ZSTD_c_windowLog, ZSTD_c_hashLog, ZSTD_c_chainLog, ZSTD_c_searchLog, ZSTD_c_minMatch = range(100, 106)
ZSTD_c_targetLength, ZSTD_c_strategy = 106, 107
ZSTD_c_enableLongDistanceMatching, ZSTD_c_ldmHashLog, ZSTD_c_ldmMinMatch, ZSTD_c_ldmBucketSizeLog, ZSTD_c_ldmHashRateLog = range(160, 165)
ZSTD_c_contentSizeFlag, ZSTD_c_checksumFlag, ZSTD_c_dictIDFlag = 200, 201, 202
ZSTD_c_nbWorkers, ZSTD_c_jobSize, ZSTD_c_overlapLog = 400, 401, 402
ZSTD_d_windowLogMax = 100
ZSTD_fast, ZSTD_dfast, ZSTD_greedy, ZSTD_lazy, ZSTD_lazy2, ZSTD_btlazy2, ZSTD_btopt, ZSTD_btultra, ZSTD_btultra2 = range(1, 10)

_LEVELS = (-131072, 22)
_BOUNDS = {
    ZSTD_c_compressionLevel: _LEVELS, ZSTD_c_windowLog: (10, 30), ZSTD_c_hashLog: (6, 30), ZSTD_c_chainLog: (6, 29), ZSTD_c_searchLog: (1, 29),
    ZSTD_c_minMatch: (3, 7), ZSTD_c_targetLength: (0, 131072), ZSTD_c_strategy: (1, 9), ZSTD_c_enableLongDistanceMatching: (0, 2),
    ZSTD_c_ldmHashLog: (6, 30), ZSTD_c_ldmMinMatch: (4, 4096), ZSTD_c_ldmBucketSizeLog: (1, 8), ZSTD_c_ldmHashRateLog: (0, 25),
    ZSTD_c_contentSizeFlag: (0, 1), ZSTD_c_checksumFlag: (0, 1), ZSTD_c_dictIDFlag: (0, 1), ZSTD_c_nbWorkers: (0, 0), ZSTD_c_jobSize: (0, 0),
    ZSTD_c_overlapLog: (0, 0),
}
_WINDOW = (10, 30)
_NO_DICTIONARIES = "wisp's zstd has no dictionaries"


class ZstdError(Exception):
    """An error occurred in the zstd library."""


class ZstdDict:
    """Dictionaries are missing here."""

    def __init__(self, dict_content, /, *, is_raw=False):
        raise ZstdError(_NO_DICTIONARIES)


def train_dict(samples_bytes, samples_sizes, dict_size, /):
    """Dictionaries are missing here."""
    raise ZstdError(_NO_DICTIONARIES)


finalize_dict = train_dict


def set_parameter_types(c_parameter_type, d_parameter_type):
    """The classes of parameters: each must be used for its own purpose."""
    global _compression, _decompression
    _compression, _decompression = c_parameter_type, d_parameter_type


_compression = _decompression = ()


def get_param_bounds(parameter, is_compress):
    """The lowest and the highest value of a parameter."""
    found = _BOUNDS.get(parameter) if is_compress else _WINDOW if parameter == ZSTD_d_windowLogMax else None
    if found is None:
        raise ZstdError(f"Unable to get zstd {'' if is_compress else 'de'}compression parameter bounds: Unsupported parameter")
    return found


def _checked(options, is_compress):
    """The options as {number: value}, each within its bounds."""
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise TypeError(f"options argument must be dict or None, not {type(options).__name__}")
    other, kind = (_decompression, "compression") if is_compress else (_compression, "decompression")
    for key, value in options.items():
        if other and type(key) is other:
            raise TypeError(f"{kind} options dictionary key must not be a {other.__name__} attribute")
        if not isinstance(key, int) or not isinstance(value, int):
            raise TypeError(f"{kind} options dictionary must have int keys and values")
        known = _BOUNDS.get(key) if is_compress else _WINDOW if key == ZSTD_d_windowLogMax else None
        if known is None:
            raise ValueError(f"invalid {kind} parameter 'unknown parameter (key {key})'")
        if not known[0] <= value <= known[1] and not (value == 0 and known[0] > 0):
            name = next((one.name for one in (_compression if is_compress else _decompression) if one == key), str(key))
            raise ValueError(f"{kind} parameter '{name}' received an illegal value {value}; the valid range is [{known[0]}, {known[1]}]")
    return {int(key): value for key, value in options.items()}


class ZstdCompressor:
    """Create a compressor object for compressing data incrementally."""

    __slots__ = ("_stream", "last_mode")

    CONTINUE, FLUSH_BLOCK, FLUSH_FRAME = 0, 1, 2

    def __init__(self, level=None, options=None, zstd_dict=None):
        if level is not None and options is not None:
            raise TypeError("Only one of level or options should be used.")
        if level is not None and not isinstance(level, int):
            raise TypeError("invalid type for level, expected int")
        if level is not None and not _LEVELS[0] <= level <= _LEVELS[1]:
            raise ValueError(f"illegal compression level {level}; the valid range is [{_LEVELS[0]}, {_LEVELS[1]}]")
        if zstd_dict is not None:
            raise TypeError("zstd_dict argument should be a ZstdDict object.")
        given = _checked(options, True)
        parameters = [given.get(ZSTD_c_checksumFlag, 0), given.get(ZSTD_c_contentSizeFlag, 1)]
        self._stream = _codecs.open(_codecs.ZSTD, parameters, ZstdError)
        self.last_mode = self.FLUSH_FRAME

    def compress(self, data, mode=CONTINUE):
        """Provide data to the compressor object. Returns bytes: what can be written so far."""
        if mode not in (self.CONTINUE, self.FLUSH_BLOCK, self.FLUSH_FRAME):
            raise ValueError("mode argument wrong value, it should be one of ZstdCompressor.CONTINUE, ZstdCompressor.FLUSH_BLOCK, "
                             "ZstdCompressor.FLUSH_FRAME.")
        output = _codecs.compress(self._stream, data, mode, ZstdError)
        self.last_mode = mode
        return output

    def flush(self, mode=FLUSH_FRAME):
        """Finish the compression process, or a block of it."""
        if mode not in (self.FLUSH_BLOCK, self.FLUSH_FRAME):
            raise ValueError("mode argument wrong value, it should be ZstdCompressor.FLUSH_FRAME or ZstdCompressor.FLUSH_BLOCK.")
        return self.compress(b"", mode) if mode != self.last_mode or mode != self.FLUSH_FRAME else b""

    def set_pledged_input_size(self, size, /):
        """Set the uncompressed content size to be written into the frame header: it is written when it is known without."""
        if self.last_mode != self.FLUSH_FRAME:
            raise ValueError("set_pledged_input_size() method must be called when last_mode == FLUSH_FRAME")


class ZstdDecompressor(_codecs.Decompressor):
    """Create a decompressor object for decompressing data incrementally."""

    __slots__ = ()

    _over = "Already at the end of a Zstandard frame."

    def __init__(self, zstd_dict=None, options=None):
        if zstd_dict is not None:
            raise TypeError("zstd_dict argument should be a ZstdDict object.")
        window = _checked(options, False).get(ZSTD_d_windowLogMax, 0)
        self._begin(_codecs.open(_codecs.UNZSTD, [window], ZstdError))

    @staticmethod
    def _error(text):
        return ZstdError(f"Unable to decompress Zstandard data: {text}")


def get_frame_info(frame_buffer):
    """The size of a frame's content (None if its header does not say), and the number of its dictionary."""
    data = bytes(memoryview(frame_buffer)[:18])
    if len(data) < 6 or data[:4] != b"\x28\xb5\x2f\xfd":
        if data[1:4] == b"\x2a\x4d\x18" and data[0] >> 4 == 5:
            return 0, 0
        raise ZstdError("Error when getting information from the header of a Zstandard frame. Ensure the frame_buffer argument "
                        "starts from the beginning of a frame, and its length is not less than the frame header (6~18 bytes).")
    single, dictionary, size = data[4] >> 5 & 1, (0, 1, 2, 4)[data[4] & 3], data[4] >> 6
    at = 6 - single
    width = (single, 2, 4, 8)[size]
    number = int.from_bytes(data[at : at + dictionary], "little")
    content = int.from_bytes(data[at + dictionary : at + dictionary + width], "little") + (256 if size == 1 else 0)
    return content if width else None, number


def get_frame_size(frame_buffer):
    """The size of the first frame in these bytes."""
    data = bytes(memoryview(frame_buffer))
    if data[1:4] == b"\x2a\x4d\x18" and data[0] >> 4 == 5:
        size = 8 + int.from_bytes(data[4:8], "little")
    else:
        get_frame_info(data)
        descriptor = data[4]
        size, last = 6 - (descriptor >> 5 & 1) + (0, 1, 2, 4)[descriptor & 3] + (descriptor >> 5 & 1, 2, 4, 8)[descriptor >> 6], 0
        while not last and size + 3 <= len(data):
            header = int.from_bytes(data[size : size + 3], "little")
            last = header & 1
            size += 3 + (1 if header >> 1 & 3 == 1 else header >> 3)
        size += 4 if descriptor & 4 else 0
        size = size if last else len(data) + 1
    if size > len(data):
        raise ZstdError("Error when finding the compressed size of a Zstandard frame. Ensure the frame_buffer argument starts from the "
                        "beginning of a frame, and its length is not less than this complete frame.")
    return size


for _class in (ZstdError, ZstdDict, ZstdCompressor, ZstdDecompressor):
    _class.__module__ = "compression.zstd"
del _class
