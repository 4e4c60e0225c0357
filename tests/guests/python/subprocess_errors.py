import subprocess, os
open("/tmp/plain", "w").write("#!/bin/sh\necho ran\n")
for arguments, options in (("missing-program", {}), ("/tmp/nowhere/x", {}), ("/tmp/plain", {}), ("/tmp", {}), ("ls", {"cwd": "/tmp/none"}), ("ls", {"cwd": "/tmp/plain"}), ("ls", {"env": {"PATH": "/tmp"}})):
    try: print(subprocess.run([arguments], capture_output=True, **options).returncode)
    except OSError as e: print(type(e).__name__, e.strerror, e.filename)
os.chmod("/tmp/plain", 0o755); print(subprocess.check_output(["/tmp/plain"]), subprocess.check_output("./plain", cwd="/tmp"))
try: subprocess.run(["true"], preexec_fn=print)
except OSError as e: print(type(e).__name__, "fork" in str(e))
try: subprocess.Popen("x", stdout=subprocess.STDOUT)
except ValueError as e: print(e)
try: subprocess.run(["cat"], input=b"x", stdin=subprocess.PIPE)
except ValueError as e: print(e)
