"""What cannot be: other start methods, and keeping a view of shared memory. Each with what works beside it."""
import io, multiprocessing as mp, os, struct
from multiprocessing import shared_memory

def show(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, "|", error)

if __name__ == "__main__":
    print(mp.get_all_start_methods(), mp.get_start_method())
    for method in ("fork", "forkserver", "thread"):
        show(lambda: mp.get_context(method))
    show(lambda: mp.set_start_method("fork", force=True))
    show(lambda: mp.get_context("spawn").get_start_method())
    show(lambda: os.fork())
    memory = shared_memory.SharedMemory(create=True, size=16)
    show(lambda: memoryview(memory.buf))
    show(lambda: memory.buf.cast("B", (4, 4)))
    show(lambda: memory.buf[::2])
    show(lambda: io.BytesIO(b"text").readinto(memory.buf[:4]))
    show(lambda: struct.pack_into("<i", memory.buf, 4, 7))
    show(lambda: (bytes(memory.buf[:8]), b"".join([memory.buf[:2], b"!"])))
    number = mp.Value("i", 5)
    show(lambda: memoryview(number.get_obj()))
    show(lambda: bytes(number.get_obj())[:1])
    show(lambda: mp.Semaphore(100_000))
    show(lambda: mp.Semaphore(60_000).get_value())
    ours, theirs = mp.Pipe()
    show(lambda: ours.send(theirs))
    memory.close()
    memory.unlink()
