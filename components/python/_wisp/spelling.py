"""Names of files that are not UTF-8. In `os` a byte that is no part of UTF-8 is a lone surrogate (PEP 383); strings of the host have none,
and spell the byte as one character, U+F7NN for 0xNN (`host/spelling` says how and why).

What goes through the C library is bytes: `toolchain/fuse` spells it. This is for the functions of `wisp:sandbox`, whose strings Python makes.
"""

import os
import re

#: The characters that spell bytes.
_MARKS = re.compile("[\uf780-\uf7ff]")

#: The surrogates that stand for bytes, and both.
_SURROGATES = re.compile("[\udc80-\udcff]")
_BYTES = re.compile("[\udc80-\udcff\uf780-\uf7ff]")

#: Whether `os` has names as the host spells them: nothing stands between the data image's C library and the host.
as_spelled = False


def spell(path):
    """The host's text for a path: of `str`, `bytes` or a path-like object."""
    text = os.fsdecode(path)
    if text.isascii():
        return text
    # As bytes and back: surrogates that are UTF-8 together are a character, as for every function of `os`.
    return (_SURROGATES if as_spelled else _BYTES).sub(_spelled, os.fsencode(text).decode("utf-8", "surrogateescape"))


def _spelled(match):
    """The bytes of a surrogate, or of a character that spells one."""
    return "".join(chr(0xF700 | byte) for byte in os.fsencode(match[0]))


def read(text):
    """The path, as `os` has it, that a text of the host spells."""
    if as_spelled or not _MARKS.search(text):
        return text
    return os.fsdecode(os.fsencode(_MARKS.sub(lambda match: chr(0xDC00 | ord(match[0]) & 0xFF), text)))
