cd /tmp
printf 'print("printed")\n1/0\n' > error.py
printf 'import sys\nprint("printed")\nsys.exit("text")\n' > leaves.py
printf 'import atexit, os\natexit.register(os.system, "echo child")\nprint("printed")\n' > child.py
printf 'import sys\ndef hook(*error):\n    print("hook", sys.exc_info()[0], file=sys.stderr)\n    raise KeyError("x")\nsys.excepthook = hook\nprint("printed")\n1/0\n' > hook.py
printf 'import sys\ndel sys.excepthook\nprint("printed")\n1/0\n' > nohook.py
printf 'import sys\nprint("printed")\nsys.stdout = None\n1/0\n' > none.py
printf 'import os, threading\nend = threading.Event()\ndef wait():\n    end.wait()\n    os.write(1, b"thread\\n")\nthreading.Thread(target=wait).start()\nprint("printed")\nend.set()\n' > thread.py
printf 'import sys, warnings\nprint("printed")\nwarnings.warn("careful")\nraise SystemExit(3)\n' > warns.py
for name in error leaves child hook nohook none thread warns; do
  echo "== $name"
  python3 $name.py 2>&1 | grep -v '^ '
  echo "-- stdin"
  python3 < $name.py 2>&1 | grep -v '^ '
  echo "-- last lines"
  cat $name.py | python3 - 2>&1 | tail -n 1
  python3 -c "$(cat $name.py)" 2>&1 | tail -n 1
  python3 -m $name 2>&1 | tail -n 1
done
mkdir whole; cp error.py whole/__main__.py
python3 whole 2>&1 | tail -n 1
