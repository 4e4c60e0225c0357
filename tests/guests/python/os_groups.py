import os, signal, subprocess, sys
print(os.getpgrp() == os.getpgid(0) == os.getpgid(os.getpid()), os.waitstatus_to_exitcode(9), os.waitstatus_to_exitcode(256))
for options in ({"start_new_session": True}, {"process_group": 0}, {"preexec_fn": os.setsid}):
    child = subprocess.Popen("sleep 1000; echo no", shell=True, **options); group = os.getpgid(child.pid)
    os.killpg(group, signal.SIGTERM); print(group == child.pid, child.wait())
first = subprocess.Popen(["sleep", "1000"], process_group=0); second = subprocess.Popen(["sleep", "1000"], process_group=first.pid)
os.kill(-first.pid, signal.SIGKILL); print(first.wait(), second.wait())
child = subprocess.Popen(["sleep", "1000"]); print(os.getpgid(child.pid) == os.getpgrp()); child.terminate(); child.wait()
code = "import os; os.setsid(); print(os.getpgrp() == os.getpid())\ntry: os.setsid()\nexcept PermissionError as e: print(e.strerror)"
print(subprocess.check_output([sys.executable, "-c", code], text=True))
for number in (1, 2, 3, 6, 10, 12, 13, 14, 15, 24, 31):
    child = subprocess.Popen(["sleep", "1000"]); child.send_signal(number); print(child.wait(), end=" ")
print()
child = subprocess.Popen(["sleep", "1000"]); child.send_signal(signal.SIGSTOP); child.send_signal(signal.SIGTERM); print(child.poll()); child.send_signal(signal.SIGCONT); print(child.wait())
for what in (lambda: os.kill(4000000, 0), lambda: os.killpg(4000000, 9), lambda: os.getpgid(4000000), lambda: os.setpgid(0, 4000000), lambda: os.kill(os.getpid(), 40), lambda: os.kill(os.getpid(), 99), lambda: os.kill(os.getpid(), -1)):
    try: what()
    except OSError as e: print(type(e).__name__, e.strerror)
try: subprocess.run("kill -USR1 $$", shell=True, check=True)
except subprocess.CalledProcessError as e: print(e)
# The permission bits that new files do not get.
os.umask(0o077); open("/tmp/u1", "w").close(); os.mkdir("/tmp/u2"); os.close(os.open("/tmp/u3", os.O_CREAT | os.O_WRONLY, 0o777))
print([oct(os.stat(path).st_mode & 0o777) for path in ("/tmp/u1", "/tmp/u2", "/tmp/u3")], subprocess.check_output("umask", shell=True), subprocess.check_output("umask", shell=True, umask=0o007), oct(os.umask(0o022)))
# A child does not ignore SIGPIPE unless the caller requests it.
for options in ({}, {"restore_signals": False}):
    child = subprocess.Popen(["yes"], stdout=-1, stderr=-1, **options); child.stdout.close(); print(child.wait())
for options in ({"user": 0}, {"preexec_fn": print}):
    try: subprocess.run(["true"], **options)
    except (OSError, ValueError) as e: print(type(e).__name__, e)
