import subprocess
script = "i=0; while [ $i -lt 2000 ]; do echo 'to standard output, a line that is long enough to fill a pipe'; echo 'to standard error, a line that is long enough to fill a pipe' >&2; i=$((i+1)); done"
r = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
print(r.stdout.count("\n"), r.stderr.count("\n"), r.returncode)
data = b"x" * 1_000_000
r = subprocess.run(["cat"], input=data, capture_output=True); print(r.stdout == data)
r = subprocess.run("cat; echo end >&2", input=data, capture_output=True, shell=True); print(len(r.stdout), r.stderr)
r = subprocess.run(["true"], input=data, capture_output=True); print(r.returncode)
r = subprocess.run(["head", "-c", "10"], input=data, capture_output=True); print(r.stdout)
