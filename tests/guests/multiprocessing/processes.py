"""Processes, pipes and waiting: what CPython prints with the start method `spawn`, this prints."""
import multiprocessing as mp, os, sys, time, signal
from multiprocessing.connection import wait

def put(x, queue):
    queue.put((x * 2, mp.current_process().name, __name__, mp.parent_process().name))

def leave(code):
    sys.exit(code)

def fail():
    raise ValueError("boom")

def sleep():
    time.sleep(60)

def talk(connection):
    connection.send(("got", connection.recv(), os.getppid() == mp.parent_process().pid))
    connection.close()

def nothing():
    pass

def outer(queue):
    inner = mp.Process(target=put, args=(3, queue))
    inner.start()
    inner.join()
    queue.put(("outer", inner.exitcode, mp.parent_process().name))

def forbidden(queue):
    try:
        mp.Process(target=nothing).start()
    except AssertionError as error:
        queue.put(str(error))

def read(queue):
    queue.put(sys.stdin.read())

def orphan(queue):
    queue.put(mp.parent_process().is_alive())

class Own(mp.Process):
    def __init__(self, value):
        super().__init__(name="own", daemon=False)
        self.value = value

    def run(self):
        print("own process", self.value, self.name, flush=True)
        sys.exit(self.value)

if __name__ == "__main__":
    mp.set_start_method("spawn")
    queue = mp.SimpleQueue()

    def run(target, *arguments, **options):
        process = mp.Process(target=target, args=arguments, **options)
        process.start()
        process.join()
        return process

    print(run(put, 21, queue).exitcode, queue.get())
    print([run(leave, code).exitcode for code in (0, 3, None, "a text", 256 + 7)])
    print(run(fail).exitcode)
    process = mp.Process(target=sleep)
    print(process.exitcode, process.is_alive())
    process.start()
    process.join(0.05)
    print(process.exitcode, process.is_alive(), mp.active_children() == [process])
    process.terminate()
    process.join()
    print(process.exitcode == -signal.SIGTERM, process.is_alive(), mp.active_children())
    process = mp.Process(target=sleep)
    process.start()
    process.kill()
    print(wait([process.sentinel]) == [process.sentinel])
    process.join()
    print(process.exitcode)
    process.close()
    try:
        process.is_alive()
    except ValueError as error:
        print(error)
    own = Own(5)
    own.start()
    own.join()
    print(own.exitcode, own.name)

    here, there = mp.Pipe()
    process = mp.Process(target=talk, args=(there,))
    process.start()
    there.close()
    here.send({"some": [1, 2, b"x" * 100_000]})
    word, answer, parent = here.recv()
    print(word, len(answer["some"][2]), parent)
    try:
        here.recv()
    except EOFError:
        print("the end of the pipe")
    process.join()

    run(outer, queue)
    print(queue.get(), queue.get())
    run(forbidden, queue, daemon=True)
    print(queue.get())
    run(read, queue)
    print(repr(queue.get()))
    run(orphan, queue)
    print(queue.get())

    reader, writer = mp.Pipe(duplex=False)
    print(reader.poll(), wait([reader], 0.01), reader.readable, reader.writable)
    writer.send_bytes(b"0123456789", 2, 4)
    print(wait([reader]) == [reader], reader.recv_bytes())
    space = bytearray(6)
    writer.send_bytes(b"abc")
    print(reader.recv_bytes_into(space, 1), space)
    writer.send_bytes(b"0123456789")
    try:
        reader.recv_bytes_into(bytearray(2))
    except mp.BufferTooShort as error:
        print("too short", error.args)
    for wrong in (lambda: writer.recv(), lambda: reader.send(1)):
        try:
            wrong()
        except OSError as error:
            print(error)
    writer.close()
    try:
        writer.send(1)
    except OSError as error:
        print(error)
    lazy = mp.Process(target=sleep, daemon=True)
    lazy.start()
    print(lazy.daemon, "ends with this process")
