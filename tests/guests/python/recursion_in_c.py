"""Deep recursion through C code raises RecursionError; it must not use up the stack of the process."""
import copy, json, pickle, re
def show(f):
    try: f(); print("no error")
    except (RecursionError, MemoryError, ValueError) as e: print(type(e).__name__)
show(lambda: json.loads("[" * 100_000))
nested = []
for _ in range(100_000): nested = [nested]
show(lambda: repr(nested)); show(lambda: copy.deepcopy(nested)); show(lambda: pickle.dumps(nested)); show(lambda: json.dumps(nested))
show(lambda: eval("(" * 1000 + ")" * 1000)); show(lambda: eval("-" * 50_000 + "1")); show(lambda: re.compile("(" * 5000 + ")" * 5000)); show(lambda: compile("[" * 300 + "]" * 300, "x", "eval"))
del nested; print("alive")
