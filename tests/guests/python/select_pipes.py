import os, select, sys
r, w = os.pipe()
print(select.select([r], [], [], 0), select.select([], [w], [], 0) == ([], [w], []), select.select([], [], [], 0.001))
os.write(w, b"x"); print(select.select([r], [w], [r]) == ([r], [w], []))
poll = select.poll(); poll.register(r, select.POLLIN); print(poll.poll() == [(r, select.POLLIN)]); os.read(r, 1); print(poll.poll(1)); poll.modify(r, 0); poll.register(w); print(poll.poll() == [(w, select.POLLOUT)])
poll.unregister(w); os.close(w); poll.register(w); print((w, select.POLLNVAL) in poll.poll(), os.read(r, 1), select.select([sys.stdin], [], [], 0) == ([sys.stdin], [], []))
for arguments in (([r], [], [], -1), (["x"], [], []), ([w], [], []), ([-1], [], [])):
    try: select.select(*arguments)
    except (ValueError, TypeError, OSError) as e: print(type(e).__name__)
