import threading, _thread, concurrent.futures, multiprocessing, queue
def show(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, "|", e)
show(lambda: threading.Thread(target=print).start())
show(lambda: threading.Timer(1, print).start())
show(lambda: _thread.start_new_thread(print, ()))
show(lambda: concurrent.futures.ThreadPoolExecutor().submit(print))
show(lambda: multiprocessing.Process(target=print).start())
show(lambda: multiprocessing.Pool(2))
show(lambda: concurrent.futures.ProcessPoolExecutor())
with threading.Lock(): print("locks work")
q = queue.Queue(); q.put(1); print(q.get(), threading.current_thread().name, threading.active_count())
print(threading.local().__class__.__name__, threading.Event().wait(0.01))
