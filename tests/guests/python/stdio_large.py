import sys
data = sys.stdin.read()
print(len(data), data.count("\n"))
sys.stdout.write("x" * 300000 + "\n")
print("done", flush=True)
