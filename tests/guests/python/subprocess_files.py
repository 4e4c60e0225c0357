import subprocess, tempfile
with open("/tmp/o.txt", "w") as f:
    f.write("before\n"); f.flush()
    subprocess.run("echo middle; echo error >&2", shell=True, stdout=f, stderr=subprocess.STDOUT)
    f.write("after\n")
print(open("/tmp/o.txt").read().split())
with open("/tmp/o.txt", "a") as f: subprocess.run(["echo", "appended"], stdout=f)
print(open("/tmp/o.txt").read().split()[-1])
with open("/tmp/o.txt") as f: print(subprocess.check_output(["wc", "-l"], stdin=f, text=True).strip())
with open("/tmp/o.txt", "rb", buffering=0) as f: print(f.readline(), subprocess.check_output(["head", "-n", "1"], stdin=f))
with tempfile.TemporaryFile("w+") as f:
    subprocess.run(["echo", "into an unnamed file"], stdout=f); f.seek(0); print(f.read().strip())
with open("/tmp/both.txt", "w") as out, open("/tmp/err.txt", "w") as err: subprocess.run("echo o; echo e >&2", shell=True, stdout=out, stderr=err)
print(open("/tmp/both.txt").read().strip(), open("/tmp/err.txt").read().strip())
