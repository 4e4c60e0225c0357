import json, sys, re, copy, pickle
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
print(depth(900))
def show(f):
    try: f(); print("no error")
    except (RecursionError, MemoryError, ValueError) as e: print(type(e).__name__)
show(lambda: depth(10 ** 6))
show(lambda: json.loads("[" * 100_000))
nested = []
for _ in range(100_000): nested = [nested]
show(lambda: repr(nested)); show(lambda: copy.deepcopy(nested)); show(lambda: pickle.dumps(nested)); show(lambda: json.dumps(nested))
show(lambda: eval("(" * 1000 + ")" * 1000)); show(lambda: eval("-" * 50_000 + "1")); show(lambda: re.compile("(" * 5000 + ")" * 5000)); show(lambda: compile("[" * 300 + "]" * 300, "x", "eval"))
class A:
    def __getattr__(self, name): return getattr(self, name + "x")
show(lambda: A().x)
sys.setrecursionlimit(20_000); print(depth(15_000)); del nested; print("alive")
