"""Makes the functions of `python3` that no compiler makes: one exchanges the stack pointer where a thread lets another run, one is
the export `thread-entry`.

The pointer is a global of the component's libraries, which Rust and C cannot name. This is the module, as text:

    (module
      (@dylink.0 (mem-info (memory 0 0) (table 0 0)))
      (import "env" "memory" (memory 0))
      (import "env" "__stack_pointer" (global $pointer (mut i32)))
      (import "env" "PyThreadState_Swap" (func $swap (param i32) (result i32)))
      (import "wisp:sandbox/threads@0.1.0" "switch" (func $switch (param i32)))
      (import "env" "wisp_enter" (func $enter (param i32)))
      (func (export "wisp_switch") (param $to i32) (param $stack i32) (param $state i32)
        (local $own i32) (local $me i32)
        (local.set $own (global.get $pointer))
        (if (local.get $stack) (then (global.set $pointer (local.get $stack))))  ;; a thread that begins finds its stack here
        (local.set $me (call $swap (local.get $state)))                           ;; and its state; otherwise there is none meanwhile
        (call $switch (local.get $to))
        (global.set $pointer (local.get $own))
        (drop (call $swap (local.get $me))))
      (func (export "wisp:sandbox/thread-entry@0.1.0#enter") (param i32)
        (call $enter (local.get 0)))                                              ;; wisp_enter of components/threads
      (@custom "component-type:threads" …))                                       ;; `_world`

CPython changes states while the pointer is already the new one: `PyThreadState_Swap` runs on the stack that begins.
"""


def _number(value):
    """LEB128."""
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def _name(text):
    return _number(len(text)) + text.encode()


def _vector(items):
    return _number(len(items)) + b"".join(items)


def _section(number, content):
    return bytes([number]) + _number(len(content)) + content


_I32 = b"\x7f"


def _type(parameters, results):
    return b"\x60" + _vector([_I32] * parameters) + _vector([_I32] * results)


_ENTRY = "wisp:sandbox/thread-entry@0.1.0"


def _world():
    """`world threads { export wisp:sandbox/thread-entry@0.1.0; }` as a component, which is how tools write it down (the crate
    wit-component, module `metadata`)."""
    function = b"\x40" + _vector([_name("id") + b"\x79"]) + b"\x01\x00"
    interface = b"\x42" + _vector([b"\x01" + function, b"\x04\x00" + _name("enter") + b"\x01\x00"])
    exports = b"\x41" + _vector([b"\x01" + interface, b"\x04\x00" + _name(_ENTRY) + b"\x05\x00"])
    world = b"\x41" + _vector([b"\x01" + exports, b"\x04\x00" + _name("wisp:threads/threads") + b"\x04\x00"])
    return b"\0asm\x0d\0\1\0" + b"".join(
        [
            _section(0, _name("wit-component-encoding") + b"\x04\x00"),
            _section(7, _vector([world])),
            _section(11, _vector([b"\x00" + _name("threads") + b"\x03\x00\x00"])),
        ]
    )


def module():
    """The module's bytes."""
    info = _number(0) * 4
    body = _vector([b"\x02" + _I32]) + bytes(
        [
            *(0x23, 0, 0x21, 3),  # own = pointer
            *(0x20, 1, 0x04, 0x40, 0x20, 1, 0x24, 0, 0x0B),  # if stack: pointer = stack
            *(0x20, 2, 0x10, 0, 0x21, 4),  # me = swap(state)
            *(0x20, 0, 0x10, 1),  # switch(to)
            *(0x20, 3, 0x24, 0),  # pointer = own
            *(0x20, 4, 0x10, 0, 0x1A, 0x0B),  # drop swap(me)
        ]
    )
    enter = _vector([]) + bytes([0x20, 0, 0x10, 2, 0x0B])
    return b"\0asm\1\0\0\0" + b"".join(
        [
            _section(0, _name("dylink.0") + b"\x01" + _number(len(info)) + info),
            _section(1, _vector([_type(1, 1), _type(1, 0), _type(3, 0)])),
            _section(
                2,
                _vector(
                    [
                        _name("env") + _name("memory") + b"\x02\x00\x00",
                        _name("env") + _name("__stack_pointer") + b"\x03" + _I32 + b"\x01",
                        _name("env") + _name("PyThreadState_Swap") + b"\x00\x00",
                        _name("wisp:sandbox/threads@0.1.0") + _name("switch") + b"\x00\x01",
                        _name("env") + _name("wisp_enter") + b"\x00\x01",
                    ]
                ),
            ),
            _section(3, _vector([b"\x02", b"\x01"])),
            _section(7, _vector([_name("wisp_switch") + b"\x00\x03", _name(f"{_ENTRY}#enter") + b"\x00\x04"])),
            _section(10, _vector([_number(len(code)) + code for code in (body, enter)])),
            _section(0, _name("component-type:threads") + _world()),
        ]
    )
