import concurrent.futures, multiprocessing, os
def show(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, "|", e)
show(lambda: os.fork())
show(lambda: multiprocessing.Process(target=print).start())
show(lambda: multiprocessing.Pool(2))
show(lambda: concurrent.futures.ProcessPoolExecutor())
with concurrent.futures.ThreadPoolExecutor(2) as pool: print(list(pool.map(str, range(3))))
