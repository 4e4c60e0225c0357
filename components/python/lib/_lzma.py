"""The part of `lzma` that CPython has in C, on a Rust library (lzma-rust2)."""

from _wisp import codecs as _codecs

CHECK_NONE, CHECK_CRC32, CHECK_CRC64, CHECK_SHA256, CHECK_ID_MAX, CHECK_UNKNOWN = 0, 1, 4, 10, 15, 16
FILTER_LZMA1, FILTER_LZMA2, FILTER_DELTA = 0x4000000000000001, 0x21, 0x03
FILTER_X86, FILTER_POWERPC, FILTER_IA64, FILTER_ARM, FILTER_ARMTHUMB, FILTER_SPARC = 4, 5, 6, 7, 8, 9
FORMAT_AUTO, FORMAT_XZ, FORMAT_ALONE, FORMAT_RAW = range(4)
MF_HC3, MF_HC4, MF_BT2, MF_BT3, MF_BT4 = 0x03, 0x04, 0x12, 0x13, 0x14
MODE_FAST, MODE_NORMAL = 1, 2
PRESET_DEFAULT, PRESET_EXTREME = 6, 1 << 31

_CHECKS = (CHECK_NONE, CHECK_CRC32, CHECK_CRC64, CHECK_SHA256)
_BRANCHES = (FILTER_X86, FILTER_POWERPC, FILTER_IA64, FILTER_ARM, FILTER_ARMTHUMB, FILTER_SPARC)
_SETTINGS = ("preset", "dict_size", "lc", "lp", "pb", "mode", "nice_len", "mf", "depth")
_DICTIONARIES = [1 << 18, 1 << 20, 1 << 21, 1 << 22, 1 << 22, 1 << 23, 1 << 23, 1 << 24, 1 << 25, 1 << 26]
_MAGIC = b"\xfd7zXZ\0"


class LZMAError(Exception):
    """Call to liblzma failed."""


LZMAError.__module__ = "_lzma"


def _number(value, name):
    if not 0 <= value < 1 << 32:
        raise OverflowError(f"Value too large for uint32_t type: {name}")
    return value


def _settings(filter):
    """The numbers of a filter LZMA1 or LZMA2, as the codec reads them."""
    unknown = filter.keys() - {"id", *_SETTINGS}
    if unknown:
        raise ValueError("Invalid filter specifier for LZMA filter")
    return [_number(filter[name], name) if name in filter else _codecs.UNSET for name in _SETTINGS]


def _chain(filters):
    """The last filter of a chain, and those before it as pairs of id and property."""
    before, last = [], None
    filters = list(filters)
    if not 1 <= len(filters) <= 4:
        raise ValueError("Too many filters - liblzma supports a maximum of 4" if filters else "Invalid filter chain")
    for filter in filters:
        if last is not None:
            raise LZMAError("Invalid or unsupported options")
        number = _id(filter)
        if number in (FILTER_LZMA1, FILTER_LZMA2):
            last = filter
        elif number == FILTER_DELTA:
            if filter.keys() - {"id", "dist"}:
                raise ValueError("Invalid filter specifier for delta filter")
            before += [number, _number(filter.get("dist", 1), "dist")]
        elif number in _BRANCHES:
            if filter.keys() - {"id", "start_offset"}:
                raise ValueError("Invalid filter specifier for BCJ filter")
            before += [number, _number(filter.get("start_offset", 0), "start_offset")]
        else:
            raise ValueError(f"Invalid filter ID: {number}")
    if last is None:
        raise LZMAError("Invalid or unsupported options")
    return last, before


def _id(filter):
    if not hasattr(filter, "keys"):
        raise TypeError("Filter specifier must be a dict or dict-like object")
    if "id" not in filter:
        raise ValueError("Filter specifier must have an \"id\" entry")
    return filter["id"]


def is_check_supported(check_id, /):
    """Test whether the given integrity check is supported."""
    return check_id in _CHECKS


def _encode_filter_properties(filter, /):
    """Return a bytes object encoding the options (properties) of the filter specified by *filter* (a dict)."""
    number = _id(filter)
    if number in (FILTER_LZMA1, FILTER_LZMA2):
        preset, dictionary, lc, lp, pb = _settings(filter)[:5]
        preset = PRESET_DEFAULT if preset == _codecs.UNSET else preset & 31
        if preset > 9:
            raise LZMAError(f"Invalid compression preset: {preset}")
        dictionary = _DICTIONARIES[preset] if dictionary == _codecs.UNSET else dictionary
        if number == FILTER_LZMA1:
            lc, lp, pb = (default if value == _codecs.UNSET else value for value, default in ((lc, 3), (lp, 0), (pb, 2)))
            return bytes([(pb * 5 + lp) * 9 + lc]) + dictionary.to_bytes(4, "little")
        return bytes([next(n for n in range(41) if _dictionary(n) >= dictionary)])
    _chain([filter, {"id": FILTER_LZMA2}])
    if number == FILTER_DELTA:
        return bytes([filter.get("dist", 1) - 1])
    offset = filter.get("start_offset", 0)
    return offset.to_bytes(4, "little") if offset else b""


def _dictionary(number):
    return 0xFFFFFFFF if number == 40 else (2 | number & 1) << number // 2 + 11


def _decode_filter_properties(filter_id, encoded_props, /):
    """Return a dict describing a filter with ID *filter_id*, and options (properties) decoded from the bytes object *encoded_props*."""
    properties = bytes(encoded_props)
    if filter_id == FILTER_LZMA1 and len(properties) == 5 and properties[0] < 225:
        rest, lc = divmod(properties[0], 9)
        pb, lp = divmod(rest, 5)
        return {"id": filter_id, "lc": lc, "lp": lp, "pb": pb, "dict_size": int.from_bytes(properties[1:], "little")}
    if filter_id == FILTER_LZMA2 and len(properties) == 1 and properties[0] <= 40:
        return {"id": filter_id, "dict_size": _dictionary(properties[0])}
    if filter_id == FILTER_DELTA and len(properties) == 1:
        return {"id": filter_id, "dist": properties[0] + 1}
    if filter_id in _BRANCHES and len(properties) in (0, 4):
        return {"id": filter_id, "start_offset": int.from_bytes(properties, "little")} if properties else {"id": filter_id}
    raise LZMAError("Invalid or unsupported options")


class LZMACompressor(_codecs.Compressor):
    """Create a compressor object for compressing data incrementally."""

    __slots__ = ()

    _error = LZMAError

    def __init__(self, format=FORMAT_XZ, check=-1, preset=None, filters=None):
        if preset is not None and filters is not None:
            raise ValueError("Cannot specify both preset and filter chain")
        if format != FORMAT_XZ and check not in (-1, CHECK_NONE):
            raise ValueError("Integrity checks are only supported by FORMAT_XZ")
        if format == FORMAT_RAW and filters is None:
            raise ValueError("Must specify filters for FORMAT_RAW")
        if format not in (FORMAT_XZ, FORMAT_ALONE, FORMAT_RAW):
            raise ValueError(f"Invalid container format: {format}")
        if check not in (-1, *_CHECKS):
            raise LZMAError("Unsupported integrity check")
        if filters is None:
            filters = [{"id": FILTER_LZMA1 if format == FORMAT_ALONE else FILTER_LZMA2, "preset": PRESET_DEFAULT if preset is None else preset}]
        last, before = _chain(filters)
        if (last["id"] != (FILTER_LZMA1 if format == FORMAT_ALONE else FILTER_LZMA2) and format != FORMAT_RAW) or (before and format != FORMAT_XZ):
            raise LZMAError("Invalid or unsupported options")
        settings = _settings(last)
        if settings[0] != _codecs.UNSET and settings[0] & ~PRESET_EXTREME > 9:
            raise LZMAError("Invalid or unsupported options")
        second = (CHECK_CRC64 if check == -1 else check) if format == FORMAT_XZ else last["id"] & 0xFF
        self._stream = _codecs.open(_codecs.XZ, [format, second, *settings, *before], LZMAError)


class LZMADecompressor(_codecs.Decompressor):
    """Create a decompressor object for decompressing data incrementally."""

    __slots__ = ("_format", "_head", "_limit", "check")

    _error = LZMAError
    _over = "Already at end of stream"

    def __init__(self, format=FORMAT_AUTO, memlimit=None, filters=None):
        if memlimit is not None and format == FORMAT_RAW:
            raise ValueError("Cannot specify memory limit with FORMAT_RAW")
        if (filters is not None) != (format == FORMAT_RAW):
            raise ValueError("Must specify filters for FORMAT_RAW" if filters is None else "Cannot specify filters except with FORMAT_RAW")
        if format not in (FORMAT_AUTO, FORMAT_XZ, FORMAT_ALONE, FORMAT_RAW):
            raise ValueError(f"Invalid container format: {format}")
        self._format, self._head = format, b""
        self._limit = _codecs.UNSET if memlimit is None else min(memlimit >> 10, _codecs.UNSET)
        self.check = CHECK_NONE if format in (FORMAT_RAW, FORMAT_ALONE) else CHECK_UNKNOWN
        stream = None
        if format == FORMAT_RAW:
            last, before = _chain(filters)
            stream = _codecs.open(_codecs.UNXZ, [format, _codecs.UNSET, last["id"] & 0xFF, *_settings(last), *before], LZMAError)
        self._begin(stream)

    def decompress(self, data, max_length=-1):
        """Decompress *data*, returning uncompressed data as bytes, at most *max_length* of them if it is not negative."""
        if self._stream is None:
            data = self._look(bytes(memoryview(data)))
            if self._stream is None:
                return b""
        if self.check == CHECK_UNKNOWN:  # in the header, behind the magic number
            self._head = (self._head + bytes(memoryview(data)[:8]))[:8]
            if len(self._head) == 8 and self._head[7] in _CHECKS:
                self.check = self._head[7]
        return super().decompress(data, max_length)

    def _look(self, data):
        """Keep the first bytes until they show the container; then begin, and return them with what followed."""
        data = self._head + data
        xz = self._format == FORMAT_XZ or (self._format == FORMAT_AUTO and data[:1] == _MAGIC[:1])
        if not (data[:6] == _MAGIC[: len(data)] if xz else _could_be_alone(data)):
            raise LZMAError("Input format not supported by decoder")
        if len(data) < (6 if xz else 13):
            self._head = data
            return b""
        self._head = b""
        self.check = self.check if xz else CHECK_NONE
        self._stream = _codecs.open(_codecs.UNXZ, [FORMAT_XZ if xz else FORMAT_ALONE, self._limit], LZMAError)
        return data


def _could_be_alone(data):
    """Whether these can be the first bytes of the older container, by the rules of liblzma."""
    if data[:1] > b"\xe0":
        return False
    if len(data) < 13:
        return True
    dictionary, size = int.from_bytes(data[1:5], "little"), int.from_bytes(data[5:13], "little")
    rounded = any(dictionary in (1 << n, 3 << n - 1) for n in range(1, 32)) or dictionary == 0xFFFFFFFF
    return rounded and (size == (1 << 64) - 1 or size < 1 << 38)


LZMACompressor.__module__ = LZMADecompressor.__module__ = "_lzma"
