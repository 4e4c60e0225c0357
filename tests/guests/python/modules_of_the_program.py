"""Names that programs give their own files: who wins, a file beside the script or the library. As CPython on Debian: what the
interpreter itself has imported or built in wins, all else is the program's. Each as a module, as a package, and by -m."""
import os
import subprocess
import sys

NAMES = """app main utils helpers models config core test data tools server client common types token queue calendar
statistics numbers email html secrets platform graphlib inspect string random copy json logging code cmd signal enum re
csv datetime decimal operator socket ssl http urllib xml tokenize ast dis glob shlex struct tempfile typing uuid warnings
weakref collections functools subprocess threading traceback linecache sqlite3 asyncio contextlib pickle wisp certifi
_wisp wit_world sqlite_shell""".split()
LIBRARY = "os io abc codecs site stat sys time math array select zlib".split()
MAIN = """
import importlib, sys
lost = [name for name in sys.argv[1:] if getattr(importlib.import_module(name), "MARK", None) != "own"]
print(len(sys.argv) - 1 - len(lost), "own; the library's:", *lost)
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def python(*arguments, **options):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, **options)
    return done.stdout.strip() + done.stderr.strip()


for name in NAMES + LIBRARY:
    write(f"/tmp/one/{name}.py", "MARK = 'own'\n")
    write(f"/tmp/two/{name}/__init__.py", "from .inner import MARK\n")
    write(f"/tmp/two/{name}/inner.py", "MARK = 'own'\n")
    write(f"/tmp/runs/{name}/{name}.py", "print('own', __name__)\n")
write("/tmp/one/start.py", MAIN)
write("/tmp/two/start.py", MAIN)
print("beside the script:", python("/tmp/one/start.py", *NAMES, *LIBRARY))
print("packages:", python("/tmp/two/start.py", *NAMES, *LIBRARY))
print("below the working directory:", python("-c", MAIN, *NAMES, *LIBRARY, cwd="/tmp/one"))
print("on standard input:", python("-", *NAMES, *LIBRARY, cwd="/tmp/one", input=MAIN))
write("/tmp/elsewhere/start.py", MAIN)
print("by PYTHONPATH:", python("/tmp/elsewhere/start.py", *NAMES, *LIBRARY, env={**os.environ, "PYTHONPATH": "/tmp/one"}))
print("not on the path:", python("-P", "/tmp/one/start.py", "json", "queue", "types"), "| -I", python("-I", "/tmp/one/start.py", "json"))
other = [name for name in NAMES + LIBRARY if python("-m", name, cwd=f"/tmp/runs/{name}") != "own __main__"]
print("by -m:", len(NAMES + LIBRARY) - len(other), "own; the library's:", *other)
# A package of the program runs by its name, and its tests are found.
write("/tmp/project/app/__init__.py", "")
write("/tmp/project/app/__main__.py", "from app.core.calc import add\nfrom . import queue\nprint(add(1, 2), queue.MARK)\n")
write("/tmp/project/app/queue.py", "MARK = 'own'\n")
write("/tmp/project/app/core/__init__.py", "")
write("/tmp/project/app/core/calc.py", "def add(a, b):\n    return a + b\n")
write("/tmp/project/calendar.py", "def day():\n    return 'own'\n")
write("/tmp/project/tests/__init__.py", "")
write("/tmp/project/tests/test_app.py", """
import calendar, unittest
from app.core.calc import add
class Test(unittest.TestCase):
    def test(self):
        self.assertEqual((add(1, 2), calendar.day()), (3, 'own'))
""")
print(python("-m", "app", cwd="/tmp/project"))
print(python("-m", "unittest", cwd="/tmp/project").splitlines()[-1], python("-m", "unittest", "discover", "tests", "-t", ".", cwd="/tmp/project").splitlines()[-1])
# The library continues to use its own.
write("/tmp/mixed/queue.py", "MARK = 'own'\n")
write("/tmp/mixed/random.py", "MARK = 'own'\n")
write("/tmp/mixed/start.py", """
import asyncio, tempfile, concurrent.futures
import queue, random, sys
async def main():
    line = asyncio.Queue()
    await line.put(1)
    return await line.get()
print(queue.MARK, random.MARK, asyncio.run(main()), tempfile.mkdtemp()[:8], sys.modules["queue"] is queue)
""")
print(python("/tmp/mixed/start.py"))
# A directory with only data is not a module; a directory that the program adds to its path later is searched.
write("/tmp/data/json/a.txt", "")
write("/tmp/late/html.py", "MARK = 'own'\n")
write("/tmp/data/start.py", """
import json, sys
sys.path.insert(0, "/tmp/late")
import html
with open("/tmp/data/platform.py", "w") as file:
    file.write("MARK = 'written'")
import platform
print(json.dumps([1]), html.MARK, platform.MARK)
sys.path.remove("/usr/lib/python3.14")
try:
    import calendar
except ModuleNotFoundError as error:
    print(error)
""")
print(python("/tmp/data/start.py"))
