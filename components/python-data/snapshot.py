"""Runs the core module of the base until everything is imported, and writes its memory as the module's data.

    snapshot.py MODULE ROOT SOURCE [OUT] --kept FOLDER

`ROOT` is the guest's `/`. `SOURCE` is what its Python runs (the module's export `turn`). Without `OUT` only the files count that it writes.
Needs wasmtime's Python package.
"""

import argparse
import hashlib
import importlib.metadata
import pathlib
import sys
import threading

import wasmtime

#: Stack of the module's code, and of the thread that runs it: 2 MiB more.
_STACK = 32 << 20

_PAGE = 4096

#: The environment at the snapshot. A process takes its own at its start.
_ENVIRONMENT = [("HOME", "/home/user"), ("LANG", "C.UTF-8"), ("LOGNAME", "user"), ("PATH", "/usr/bin"), ("PWD", "/home/user"), ("SHELL", "/usr/bin/sh"),
                ("TERM", "dumb"), ("TMPDIR", "/tmp"), ("USER", "user")]


def number(data, at, signed=False):
    """A LEB128 number, and where it ends."""
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return result - (1 << shift if signed and byte & 64 else 0), at


def encoded(value, signed=False):
    """A number as LEB128."""
    out = bytearray()
    while True:
        byte = value & 127
        value >>= 7
        if (value == 0 and not (signed and byte & 64)) or (signed and value == -1 and byte & 64):
            out.append(byte)
            return bytes(out)
        out.append(byte | 128)


def segments(memory):
    """What is not zero: addresses and bytes, in whole pages."""
    found, start, view, zeros = [], None, memoryview(memory), bytes(_PAGE)
    for at in range(0, len(memory) + _PAGE, _PAGE):
        empty = at >= len(memory) or view[at : at + _PAGE] == zeros
        if not empty and start is None:
            start = at
        if empty and start is not None:
            found.append((start, memory[start:at]))
            start = None
    return found


def with_memory(module, memory):
    """The module with this memory: its data and the size of its memory are replaced, its names left out."""
    data = segments(memory)
    address = [encoded(at if at < 1 << 31 else at - (1 << 32), True) for at, _ in data]
    section = encoded(len(data)) + b"".join(
        b"\0\x41" + at + b"\x0b" + encoded(len(piece)) + piece for at, (_, piece) in zip(address, data)
    )
    out, at = [module[:8]], 8
    while at < len(module):
        kind = module[at]
        size, at = number(module, at + 1)
        body = module[at : at + size]
        at += size
        if kind in (0, 12):
            continue  # names; and the count of segments, without which the host can make an image of them
        if kind == 5:
            body = b"\x01\x00" + encoded(len(memory) >> 16)
        elif kind == 11:
            body = section
        out.append(bytes([kind]) + encoded(len(body)) + body)
    return b"".join(out), len(data), sum(len(piece) for _, piece in data)


def compiled(engine, path, kept):
    """The module's machine code, kept in a folder of this user's."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    place = kept / f"{importlib.metadata.version('wasmtime')}-{digest}.cwasm"
    if place.exists():
        return wasmtime.Module.deserialize_file(engine, str(place))
    module = wasmtime.Module.from_file(engine, str(path))
    kept.mkdir(parents=True, exist_ok=True, mode=0o700)
    scratch = place.with_suffix(".new")
    scratch.write_bytes(module.serialize())
    scratch.replace(place)
    return module


def run(path, root, source, kept):
    """The memory after `source` has run, as bytes; exits with its status if it failed."""
    config = wasmtime.Config()
    config.max_wasm_stack = _STACK
    # The package does not name this setting; without it the stack may not be larger than wasmtime's own.
    from wasmtime import _ffi as ffi

    ffi.wasmtime_config_async_stack_size_set(config.ptr(), _STACK + (2 << 20))
    engine = wasmtime.Engine(config)
    module = compiled(engine, path, kept)
    store, wasi, linker = wasmtime.Store(engine), wasmtime.WasiConfig(), wasmtime.Linker(engine)
    wasi.argv, wasi.env = ["python3"], _ENVIRONMENT
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    wasi.preopen_dir(str(root), "/")
    store.set_wasi(wasi)
    linker.define_wasi()
    number = wasmtime.ValType.i32()
    linker.define_func("host", "call", wasmtime.FuncType([number] * 4, [number]), lambda *_: -1)  # there is no host
    exports = linker.instantiate(store, module).exports(store)
    memory, text = exports["memory"], source.encode()
    place = exports["host_alloc"](store, len(text)) & 0xFFFFFFFF
    memory.write(store, text, place)
    status = exports["turn"](store, place, len(text))
    if status:
        sys.exit(f"the warm-up failed with status {status}")
    return bytes(memory.read(store, 0, memory.data_len(store)))


def main():
    """Write the module with its memory."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("module", "root", "source"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path, nargs="?")
    parser.add_argument("--kept", type=pathlib.Path, required=True, help="the folder of machine code")
    options = parser.parse_args()
    memory = run(options.module, options.root, options.source.read_text(), options.kept)
    if options.out is None:
        return
    module, count, size = with_memory(options.module.read_bytes(), memory)
    options.out.write_bytes(module)
    print(f"{len(memory) >> 20} MiB of memory, {size >> 20} MiB of them in {count} segments; the module: {len(module) >> 20} MiB")


if __name__ == "__main__":
    threading.stack_size(_STACK + (32 << 20))
    failure = []

    def guarded():
        """Run `main` and keep how it ended."""
        try:
            main()
        except SystemExit as leaving:
            failure.append(leaving)

    thread = threading.Thread(target=guarded)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
