import subprocess, sys
r = subprocess.run([sys.executable, "-c", "import sys; print(sys.argv); sys.exit(int(sys.stdin.read()))", "x"], input="42", text=True, capture_output=True); print(r.returncode, r.stdout.strip())
r = subprocess.run([sys.executable, "-c", "1/0"], capture_output=True, text=True); print(r.returncode, r.stderr.splitlines()[-1])
print(subprocess.check_output("python3 -c 'print(6*7)' | tr 4 5", shell=True, text=True).strip())
children = [subprocess.Popen([sys.executable, "-c", f"print({i})"], stdout=subprocess.PIPE, text=True) for i in range(4)]
print([c.communicate()[0].strip() for c in children])
