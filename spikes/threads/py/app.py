import threads
import wit_world, _spike, threading, contextvars, sys, time, json, random
from functools import cmp_to_key

bodies = {}
log = []
var = contextvars.ContextVar("var", default="main")
local = threading.local()

def start(id, body):
    bodies[id] = body
    _spike.start(id)

def pingpong(n):
    state = {"stop": False, "count": 0}
    def body():
        while not state["stop"]:
            state["count"] += 1
            _spike.switch(0)
    started = time.perf_counter_ns()
    start(1, body)
    for _ in range(n):
        _spike.switch(1)
    state["stop"] = True
    took = time.perf_counter_ns() - started
    _spike.switch(1)
    return f"{state['count']} turns, {took / n / 2:.0f} ns a switch"

def interleaved():
    """Two threads suspended inside C code (sort with a Python key), inside exceptions, resumed in no nesting order."""
    out = []
    alive = {1, 2, 3}
    def body(me):
        var.set(f"t{me}"); local.x = me
        def compare(a, b):
            _spike.switch(0)
            assert local.x == me and var.get() == f"t{me}"
            return a - b
        try:
            raise KeyError(me)
        except KeyError:
            values = [(7 * me * i) % 23 for i in range(20)]
            done = sorted(values, key=cmp_to_key(compare))
            assert done == sorted(values)
            assert sys.exc_info()[1].args == (me,)
        def deep(n):
            if n == 0:
                _spike.switch(0)
                return 0
            return 1 + [deep(n - 1)][0]
        assert deep(200) == 200
        out.append((me, _spike.state() != main))
        alive.discard(me)
    main = _spike.state()
    for id in (1, 2, 3):
        start(id + 10, lambda id=id: body(id))
    chance = random.Random(5)
    turns = 0
    while alive:
        _spike.switch(chance.choice(sorted(alive)) + 10)
        turns += 1
    assert var.get() == "main" and not hasattr(local, "x") and sys.exc_info()[1] is None
    return f"{turns} turns, {out}"

def recursion(where):
    """RecursionError, of Python and of C, in a thread."""
    out = []
    def nest(value):
        for _ in range(100000):
            value = [value]
        return value
    def body():
        def f(n): return f(n + 1)
        for what in (lambda: f(0), lambda: repr(nest(1)), lambda: json.dumps(nest(1)), lambda: json.loads("[" * 100000)):
            try:
                what(); out.append("no error")
            except RecursionError as error:
                out.append(str(error)[:70])
    if where == "main": body()
    else: start(30, body)
    return where + ": " + " | ".join(out)


from programs import *

class WitWorld(wit_world.WitWorld):
    def run(self, what):
        name, _, n = what.partition(" ")
        try: return str(globals()[name](*([int(n) if n.isdigit() else n] if n else [])))
        except BaseException:
            import traceback
            return traceback.format_exc()
    def enter(self, id):
        threads.enter(id) if id > 100 else bodies.pop(id)()
