"""Makes componentize-py's runtime free the memory of every list and string that passes between Python and the host.

Two kinds stay in memory for ever otherwise:

- a `list<u8>` that Python hands to the host. The runtime copies it into new memory (`maybe_pop_list` in its `runtime/src/lib.rs`). The
  bindings ask for its release after lists that they copy themselves, one element at a time, not after those that they get whole;
- an empty string or list from the host, whose memory has a size of 0 (16 bytes to the C library): Rust and the bindings take that
  for no memory.

All lists and strings of all imports and exports pass through three functions of the runtime, which free that memory here.
"""

from reproducible import Library, section, sections, unsigned

#: (the call, address, size, alignment, whether not before the end of the call): frees memory.
FREE = "wit_dylib_dealloc_bytes"

#: (the call, type, where the address goes) → elements: takes a list from Python. The address is 0 if the bindings are to copy it.
TAKE_LIST = "wit_dylib_pop_list"

#: (the call, type, address, elements) → whether that was all: gives a list to Python. If not, the bindings add the elements.
GIVE_LIST = "wit_dylib_push_list"

#: (the call, address, size): gives a string to Python.
GIVE_STRING = "wit_dylib_push_string"

_IF, _END, _EQZ, _AND = b"\x04\x40", b"\x0b", b"\x45", b"\x71"


def free_all(component):
    """The component with the runtime changed."""
    out, count = bytearray(component[:8]), 0
    for number, begin, start, end in sections(component):
        module = component[start:end]
        if number == 1 and TAKE_LIST.encode() in module and TAKE_LIST in Library(module).exports:
            out += section(1, _changed(module))
            count += 1
        else:
            out += component[begin:end]
    if count != 1:
        raise SystemExit(f"{count} modules of the component export {TAKE_LIST}, where one was expected: is this componentize-py 0.25.1?")
    return bytes(out)


def _get(*locals_):
    return b"".join(b"\x20" + bytes([local]) for local in locals_)


def _put(local):
    return b"\x21" + bytes([local])


def _number(value):
    return b"\x41" + bytes([value])


def _changed(module):
    runtime = Library(module)

    def free(address, size, later):
        return _get(0) + address + size + _number(1) + _number(later) + b"\x10" + unsigned(runtime.exports[FREE])

    # The parameter of the type becomes the result of the function. Of bytes there are as many as elements, and a list that is not
    # bytes has the address 0.
    address = _get(2) + b"\x28\x02\x00"
    runtime.wrap(TAKE_LIST, lambda call: _get(0, 1, 2) + call + _put(1) + address + _IF + free(address, _get(1), True) + _END + _get(1))
    empty = free(_get(2), _number(0), False)
    runtime.wrap(GIVE_LIST, lambda call: _get(0, 1, 2, 3) + call + _put(1) + _get(1) + _EQZ + _get(3) + _EQZ + _AND + _IF + empty + _END + _get(1))
    empty = free(_get(1), _number(0), False)
    runtime.wrap(GIVE_STRING, lambda call: _get(0, 1, 2) + call + _get(2) + _EQZ + _IF + empty + _END)
    return runtime.finish()
