import multiprocessing as mp
from multiprocessing import shared_memory

import numpy as np


def work(queue, lock, n):
    with lock:
        queue.put((n, float(np.arange(n).sum())))

def fill(name):
    memory = shared_memory.SharedMemory(name=name)
    memory.buf[:32] = np.arange(4.0).tobytes()
    memory.close()

if __name__ == "__main__":
    mp.set_start_method("spawn")
    queue, lock = mp.Queue(), mp.Lock()
    started = [mp.Process(target=work, args=(queue, lock, n)) for n in (10, 100, 1000)]
    for each in started:
        each.start()
    print(sorted(queue.get() for _ in started))
    for each in started:
        each.join()
    memory = shared_memory.SharedMemory(create=True, size=64)
    process = mp.Process(target=fill, args=(memory.name,))
    process.start()
    process.join()
    print(np.frombuffer(bytes(memory.buf[:32])), process.exitcode)
    memory.close()
    memory.unlink()
