import os, subprocess, sys
def run(code, **options):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **options)
    print(done.returncode, repr(done.stdout), done.stderr.splitlines()[-1:])
    return done
# The process keeps its id, its parent and its open descriptors; data that Python has buffered is lost.
child = subprocess.Popen([sys.executable, "-c", "import os; print('lost', end=''); os.execlp('sh', 'mysh', '-c', 'echo $$ $PPID $0; exit 7')"], stdout=-1, text=True)
pid, parent, name = child.communicate()[0].split(); print(int(pid) == child.pid, int(parent) == os.getpid(), name, child.returncode)
run("import os; os.execve('/bin/sh', ['sh', '-c', 'echo $A-$B'], {'A': '1'})")
run("import os; os.chdir('/tmp'); os.umask(0o027); os.execvpe('sh', ['sh', '-c', 'pwd; umask'], os.environ)")
run("import os\nr, w = os.pipe(); os.dup2(r, 8); os.dup2(w, 7); os.execlp('sh', 'sh', '-c', 'echo kept >&7 && echo 7 is open')")
run("import os\nr, w = os.pipe(); os.dup2(w, 7, inheritable=False); os.execlp('sh', 'sh', '-c', 'echo x >&7 || echo 7 is closed')")
run("import os\nf = open('/tmp/f', 'w'); os.dup2(f.fileno(), 8); os.execlp('sh', 'sh', '-c', 'echo text >&8; cat /tmp/f')")
run("import os, sys; os.dup2(2, 1); os.execlp('echo', 'echo', 'to standard error')")
run("import os, signal; signal.signal(15, signal.SIG_IGN); os.execlp('sh', 'sh', '-c', 'kill -TERM $$; echo survived')")
run("import os, signal; signal.signal(15, print); os.execlp('sh', 'sh', '-c', 'kill -TERM $$; echo not here')")
for call in ("execv('/nosuch', ['x'])", "execv('/etc/passwd', ['x'])", "execvp('nosuch', ['x'])", "execv('/bin/sh', [])", "execv('/bin/sh', 'text')"):
    run(f"import os\ntry: os.{call}\nexcept Exception as e: print(repr(e), getattr(e, 'filename', None))")
# Starting a program without subprocess.
print(os.spawnlp(os.P_WAIT, "sh", "sh", "-c", "exit 3"), os.spawnlp(os.P_WAIT, "sh", "sh", "-c", "kill -9 $$"), os.spawnl(os.P_WAIT, "/nosuch", "x"))
pid = os.spawnve(os.P_NOWAIT, "/bin/sh", ["sh", "-c", "exit $CODE"], {"CODE": "5"}); print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
actions = [(os.POSIX_SPAWN_OPEN, 1, "/tmp/out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), (os.POSIX_SPAWN_DUP2, 1, 2), (os.POSIX_SPAWN_CLOSE, 0)]
pid = os.posix_spawnp("sh", ["sh", "-c", "echo out; echo err >&2"], os.environ, file_actions=actions, setpgroup=0)
print(os.waitpid(pid, 0)[1], repr(open("/tmp/out").read()), oct(os.stat("/tmp/out").st_mode & 0o777))
for spawn in (os.posix_spawn, os.posix_spawnp):
    try: spawn("nosuch", ["x"], {})
    except OSError as e: print(type(e).__name__, e.filename)
sys.stdout.flush()
os.execv(sys.executable, [sys.executable, "-c", "print('the end, in the same process')"])
