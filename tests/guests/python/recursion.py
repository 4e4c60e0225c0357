import json, sys, re, copy, pickle
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
print(depth(900))
def show(f):
    try: f(); print("no error")
    except (RecursionError, MemoryError, ValueError) as e: print(type(e).__name__)
show(lambda: depth(10 ** 6))
class A:
    def __getattr__(self, name): return getattr(self, name + "x")
show(lambda: A().x)
sys.setrecursionlimit(20_000); print(depth(15_000)); print("alive")
