import concurrent.futures, multiprocessing, os
def show(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, "|", e)
show(lambda: os.fork())
show(lambda: os.forkpty())
show(lambda: multiprocessing.get_context("fork"))
with concurrent.futures.ThreadPoolExecutor(2) as pool: print(list(pool.map(str, range(3))))
