print("a", "b", sep="-", end="!\n"); print(*range(3), None, True, 1.0, 1e100, b"x", [1, "a"], (1,), {1}, {}, {"k": "v"}, ..., sep=" | ")
print("ünïcödé ☃ 𝄞", "\N{SNOWMAN}", "tab\there", flush=True)
import sys
try: print("\ud800")
except UnicodeEncodeError as e: print(e.reason)
sys.stdout.reconfigure(errors="replace"); print("\ud800"); sys.stdout.reconfigure(encoding="latin-1"); sys.stdout.flush()
print(sys.displayhook.__name__, sys.stdout.line_buffering, sys.stderr.line_buffering, sys.stderr.errors)
