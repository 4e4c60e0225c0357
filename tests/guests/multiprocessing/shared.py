"""Memory that processes share: what CPython prints with the start method `spawn`, this prints."""
import array, ctypes, multiprocessing as mp, os, struct
from multiprocessing import shared_memory, sharedctypes

class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_double)]

def change(number, numbers, text, point, points):
    number.value *= 2
    for index in range(len(numbers)):
        numbers[index] += index
    text.value = b"child"
    point.x += 1
    points[1].y = 9.5

def attach(name):
    memory = shared_memory.SharedMemory(name=name)
    memory.buf[:5] = b"howdy"
    memory.buf[10] = 77
    struct.pack_into("<i", memory.buf, 20, -5)
    memory.close()

def change_list(name):
    items = shared_memory.ShareableList(name=name)
    items[0] *= 2
    items[2] = "new"
    items.shm.close()

def make(queue):
    memory = shared_memory.SharedMemory(create=True, size=8)
    memory.buf[:2] = b"hi"
    queue.put(memory.name)
    memory.close()

def run(target, *arguments):
    process = mp.Process(target=target, args=arguments)
    process.start()
    process.join()

if __name__ == "__main__":
    mp.set_start_method("spawn")
    number, numbers = mp.Value("d", 1.5), mp.Array("q", [10, 20, 30])
    text, point, points = mp.Array("c", 10), mp.Value(Point, 1, 2.5), mp.Array(Point, [(1, 2), (3, 4)], lock=False)
    text.value = b"parent"
    run(change, number, numbers, text, point, points)
    print(number.value, numbers[:], text.value, text.raw, len(text), point.x, point.y, points[1].y)
    raw = mp.RawArray("h", 4)
    raw[1:3] = [7, -8]
    print(raw[:], sum(raw), mp.RawValue("i", 5).value, sharedctypes.copy(point.get_obj()).x)
    with number.get_lock():
        number.value += 1
    print(number.value, [(each.x, each.y) for each in points])
    try:
        numbers[5]
    except IndexError as error:
        print(error)

    memory = shared_memory.SharedMemory(create=True, size=64)
    memory.buf[:5] = b"hello"
    run(attach, memory.name)
    buffer = memory.buf
    print(bytes(buffer[:6]), buffer[10], buffer[-1], list(buffer[8:12]), buffer[:5] == b"howdy", len(buffer), buffer.nbytes)
    print(struct.unpack_from("<i", buffer, 20), buffer[20:24].cast("i")[0], buffer[20:24].cast("i").tolist(), buffer[:2].hex(), 77 in buffer)
    part = buffer[30:40]
    part[:] = bytes(range(10))
    part[2] = 200
    print(buffer[30:40].tolist(), part.itemsize, part.format, part.shape, part.readonly)
    numbers = buffer[40:56].cast("i")
    numbers[0], numbers[3] = 123456, -1
    print(numbers.tolist(), len(numbers), bytes(array.array("i", numbers)) == bytes(numbers))
    for wrong in (
        lambda: buffer[1000], lambda: buffer.__setitem__(0, 256), lambda: buffer.__setitem__(0, "x"),
        lambda: buffer.__setitem__(slice(0, 2), b"abc"), lambda: buffer.__setitem__(1000, 1),
    ):
        try:
            wrong()
        except (IndexError, ValueError, TypeError) as error:
            print(type(error).__name__, error)
    del buffer, part, numbers
    memory.close()
    memory.unlink()
    for wrong in (lambda: shared_memory.SharedMemory(name=memory.name), lambda: shared_memory.SharedMemory(create=True)):
        try:
            wrong()
        except (FileNotFoundError, ValueError) as error:
            print(type(error).__name__, getattr(error, "strerror", error) or error)
    named = shared_memory.SharedMemory(create=True, size=10, name="a_name_of_ours")
    print(named.name, named.size >= 10)
    try:
        shared_memory.SharedMemory(create=True, size=10, name="a_name_of_ours")
    except FileExistsError as error:
        print(error.strerror, error.filename)
    named.close()
    named.unlink()

    queue = mp.SimpleQueue()
    run(make, queue)
    made = shared_memory.SharedMemory(name=queue.get())
    print(bytes(made.buf[:2]))
    made.close()
    made.unlink()

    items = shared_memory.ShareableList([1, 2.5, "text", None, True, b"ab"])
    run(change_list, items.shm.name)
    print(list(items), len(items), items.count(2.5), items.index("new"), items.format)
    try:
        items[2] = "far too long for its place"
    except ValueError as error:
        print(error)
    items.shm.close()
    items.shm.unlink()
    print([name for name in os.listdir("/tmp") if name.startswith((".shm", "shm", "psm"))])
