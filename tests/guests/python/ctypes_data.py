"""ctypes without native code: data in the layout of C."""
import ctypes.util
import ctypes.wintypes
import struct
from ctypes import *


def attempt(what, *arguments):
    try:
        print(what(*arguments))
    except Exception as error:
        print(type(error).__name__, error)


print(sizeof(c_int), sizeof(c_longlong), c_ubyte(300).value, c_int(-5).value, c_char(b"x"), c_bool(3).value, c_short(40000).value, c_float(1.1).value)


class Header(Structure):
    _fields_ = [("kind", c_int), ("size", c_double), ("name", c_char * 4), ("low", c_uint, 3), ("high", c_uint, 5), ("items", c_ushort * 3)]


header = Header(1, 2.5, b"ab", 5, 9, (7, 8))
print(header.kind, header.size, header.name, header.low, header.high, list(header.items), sizeof(Header), Header.size.offset, alignment(Header))
header.items[1], header.name, header.high = 500, b"wxyz", 33
print(bytes(header)[:28].hex(), header.name, header.high, Header.from_buffer_copy(bytes(header)).items[1])


class Packet(BigEndianStructure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("length", c_uint32), ("port", c_uint16)]


packet = Packet.from_buffer_copy(struct.pack(">IH", 258, 80))
print(packet.length, packet.port, sizeof(Packet), bytes(packet))


class Number(Union):
    _fields_ = [("whole", c_uint32), ("real", c_float), ("bytes", c_ubyte * 4)]


number = Number(real=1.0)
print(hex(number.whole), list(number.bytes))


class Pair(Structure):
    _fields_ = [("a", Header), ("b", Number)]


pair = Pair()
pair.a.kind, pair.b.whole = 3, 0x40490FDB
print(pair.a.kind, round(pair.b.real, 4))
values = (c_int * 3)(1, 2, 3)
print(list(values), len(values), values[1:], values[-1], sizeof(values), memoryview(values).nbytes, list((c_int * 2 * 2)((1, 2), (3, 4))[1]))
data = bytearray(8)
view = c_uint32.from_buffer(data, 4)
view.value = 0x01020304
print(data.hex())
text = create_string_buffer(b"hi", 5)
memmove(text, b"yo", 2)
print(text.value, text.raw, string_at(text), create_unicode_buffer("é", 3).value)
where = pointer(c_int(4))
where[0] = 7
print(where.contents.value, where[0], bool(POINTER(c_int)()))
attempt(CDLL, "libc.so.6")
attempt(lambda: pythonapi.Py_IncRef)
attempt(lambda: c_int("x"))
attempt(lambda: values[3])
attempt(Packet.from_buffer_copy, b"x")
print(ctypes.util.find_library("c"), ctypes.wintypes.DWORD is c_ulong)
