"""switch.wat, assembled by hand: the spike's build has no assembler beside cargo's."""
def u(n):
    out = b""
    while True:
        b = n & 127; n >>= 7
        out += bytes([b | (128 if n else 0)])
        if not n: return out
def s(t): t = t.encode(); return u(len(t)) + t
def sec(i, b): return bytes([i]) + u(len(b)) + b
def vec(items): return u(len(items)) + b"".join(items)
I = 0x7f
mem_info = u(0) * 4
dylink = sec(0, s("dylink.0") + b"\x01" + u(len(mem_info)) + mem_info)
types = vec([b"\x60" + u(len(p)) + bytes([I] * len(p)) + u(len(r)) + bytes([I] * len(r)) for p, r in [("a", "r"), ("a", ""), ("abc", "")]])
imports = vec([s("env") + s("memory") + b"\x02\x00\x00", s("env") + s("__stack_pointer") + b"\x03\x7f\x01",
               s("env") + s("PyThreadState_Swap") + b"\x00\x00", s("$root") + s("switch") + b"\x00\x01"])
body = vec([b"\x02\x7f"]) + bytes([
    0x23, 0, 0x21, 3,                    # sp = global
    0x20, 1, 0x04, 0x40, 0x20, 1, 0x24, 0, 0x0b,   # if stack: global = stack
    0x20, 2, 0x10, 0, 0x21, 4,           # me = swap(state)
    0x20, 0, 0x10, 1,                    # switch(to)
    0x20, 3, 0x24, 0,                    # global = sp
    0x20, 4, 0x10, 0, 0x1a, 0x0b])       # drop swap(me)
code = vec([u(len(body)) + body])
module = b"\0asm\1\0\0\0" + dylink + sec(1, types) + sec(2, imports) + sec(3, vec([b"\2"])) + sec(7, vec([s("wisp_switch") + b"\0\2"])) + sec(10, code)
open("pkg/_spike_switch.cpython-314-wasm32-wasi.so", "wb").write(module)
