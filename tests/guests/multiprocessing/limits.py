"""More processes than the policy allows: the limit ends the command, as for any child, and is named."""
import multiprocessing as mp, time

if __name__ == "__main__":
    with mp.Pool(2) as pool:
        print(pool.map(abs, [-1, -2]), flush=True)
    started = [mp.Process(target=time.sleep, args=(60,), daemon=True) for _ in range(6)]
    for each in started:
        each.start()
    print("never")
