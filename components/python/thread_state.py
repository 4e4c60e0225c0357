"""Checks where CPython's state of a thread has the limits of its C stack: components/threads writes those of new threads.

CPython does not publish these offsets. The first thread's state is in the image, with the limits of the stack that the linker gave
it: words that fit no other fields.
"""

import pathlib
import re

import signal_flags

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "threads/src/module.rs"


def check(memory):
    """Fail if the offsets of the extension module are not those of this CPython."""
    text = SOURCE.read_text()
    offset = {name: int(value) for name, value in re.findall(r"const (BREAKER|TOP|SOFT|HARD|MARGIN): usize = (\d+);", text)}
    _, _, thread = signal_flags.find_thread(memory)
    top, soft, hard = (memory.word(thread + offset[name]) for name in ("TOP", "SOFT", "HARD"))
    margin = offset["MARGIN"]
    # The hard limit lies a margin above the end of the stack, and the soft limit a margin above that; a stack is some whole KiB.
    if not (0 < hard < soft < top and soft - hard == margin and (top - (hard - margin)) % 1024 == 0 and offset["BREAKER"] == 12):
        raise SystemExit(f"the limits of a thread's C stack are not where {SOURCE} has them: {top:#x}, {soft:#x}, {hard:#x}")
