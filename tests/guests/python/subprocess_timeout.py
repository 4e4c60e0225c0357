import subprocess
try: subprocess.run(["sleep", "1000"], timeout=0.05)
except subprocess.TimeoutExpired as e: print(type(e).__name__, e.cmd)
p = subprocess.Popen(["python3", "-c", "print('early', flush=True); import time; time.sleep(1000)"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
while True:
    try: p.communicate(timeout=0.05)
    except subprocess.TimeoutExpired as e:
        if e.stdout: print(e.stdout); break
p.kill(); print(p.communicate(), p.returncode)
p = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
try: p.communicate(timeout=0.05) if False else p.wait(timeout=0.01)
except subprocess.TimeoutExpired: print("still there")
print(p.communicate(b"later"), p.returncode)
print(subprocess.run(["echo", "in time"], timeout=60, capture_output=True, text=True).stdout)
