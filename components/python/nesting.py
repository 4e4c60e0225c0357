"""Has CPython notice how deeply it frees objects within objects.

`_Py_Dealloc` puts an object aside when little of the C stack is left, and frees it when there is more again, so that a list of a million lists
within each other is freed in a few rounds. It tells what is left by the pointer to the stack in memory. But WebAssembly keeps calls and
most variables elsewhere: a function moves that pointer only for variables that have an address. Lists, tuples, closures or tracebacks are
freed without any, so CPython saw a stack that did not fill, and the process ended where the host's was full. So each call takes a piece of
the stack in memory here, as it takes one of the host's.
"""

import re

from reproducible import Library, read_number, section, sections, unsigned
from wasi_errors import Named

FREES = "_Py_Dealloc"

#: The bytes that a call takes. The stack in memory has 1 MB, so there are at most some 30,000 calls within each other; with what is called in
#: between, each takes 250 to 450 bytes of the host's stack, which has 32 MB (`WASM_STACK` in host/wisp/src/runtime/config.rs).
PIECE = 32

#: `type->tp_dealloc`, kept in a local; the call of it begins with the object and that local.
_KEPT, _CALL = re.compile(rb"(?:\x41\x18\x6a\x28\x02\x00|\x28\x02\x18)\x21(.)", re.DOTALL), b"\x20\x00\x20%b\x11"


def in_component(component):
    """Return the component with CPython's library changed."""
    out, count = bytearray(component[:8]), 0
    for number, begin, start, end in sections(component):
        module = bytes(component[start:end])
        if number == 1 and FREES.encode() in module and FREES in Library(module).exports:
            out += section(1, _changed(module))
            count += 1
        else:
            out += component[begin:end]
    if count != 1:
        raise SystemExit(f"{count} modules of the component export {FREES}, where one was expected: is this componentize-py 0.25.1?")
    return bytes(out)


def _changed(module):
    """Return the module with a function that takes a piece of the stack before the call, and gives it back after."""
    library = Named(module)
    start, end = library.place(FREES)
    body = bytes(library.code[start:end])
    kept = _KEPT.search(body)
    call = _CALL % kept[1] if kept else b""
    if not kept or body.count(call) != 1:
        raise SystemExit(f"the function {FREES} of the module is not what was expected")
    at = body.index(call)
    after = at + len(call)
    for _ in range(2):  # the type and the table
        _, after = read_number(body, after)
    pointer = _stack_pointer(body)
    body = body[:at] + _moved(pointer, b"\x6b") + body[at:after] + _moved(pointer, b"\x6a") + body[after:]
    size = len(unsigned(end - start))
    if library.code[start - size : start] != unsigned(end - start):
        raise SystemExit(f"the size of the function {FREES} is not written as expected")
    library.code[start - size : end] = unsigned(len(body)) + body
    return library.finish()


def _stack_pointer(body):
    """Return the global that the function reads first, as `global.get` and `global.set` have it."""
    groups, at = read_number(body, 0)
    for _ in range(groups):
        _, at = read_number(body, at)
        at += 1
    _, after = read_number(body, at + 1)
    if body[at] != 0x23:
        raise SystemExit(f"the function {FREES} does not begin with the pointer to the stack")
    return body[at + 1 : after]


def _moved(pointer, operation):
    """Return the instructions that move the pointer by a piece."""
    return b"\x23" + pointer + b"\x41" + bytes([PIECE]) + operation + b"\x24" + pointer
