"""Directories that change while the program runs, and paths that it changes: an import of a module of the library finds what
CPython on Linux finds. Each program runs in a directory and an interpreter of its own."""
import os
import subprocess
import sys

PRELUDE = """
import os, sys
here = sys.path[0]
def write(name, text="MARK = 'own'", where=here):
    os.makedirs(os.path.dirname(f"{where}/{name}"), exist_ok=True)
    with open(f"{where}/{name}", "w") as file:
        file.write(text + "\\n")
def mark(module):
    return getattr(module, "MARK", "library")
"""

PROGRAMS = {
    "written before the first import": """
write("csv.py")
import csv
print(mark(csv))
""",
    "written after others were imported": """
import csv, json, statistics
write("calendar.py")
write("html/__init__.py")
import calendar, html, queue
print(mark(calendar), mark(html), mark(queue), mark(csv))
""",
    "removed again": """
write("calendar.py")
import csv
os.remove(f"{here}/calendar.py")
import calendar
print(mark(calendar))
""",
    "a directory without Python code is no package, until it has some": """
write("html/a.txt", "")
write("queue/a.txt", "")
import html
write("queue/__init__.py")
import queue
print(mark(html), mark(queue))
""",
    "where the time of the directory does not tell": """
import importlib
import csv
before = os.stat(here)
write("calendar.py")
write("queue.py")
os.utime(here, ns=(before.st_atime_ns, before.st_mtime_ns))
import calendar
importlib.invalidate_caches()
import queue
print(mark(calendar), mark(queue))
""",
    "what an import brings along stays out if there is a file for it": """
write("calendar.py")
import email.utils
import calendar
print(email.utils.parseaddr("a <b@c>"), mark(calendar))
""",
    "the directory is gone": """
import csv, shutil
shutil.rmtree(here)
import calendar
os.makedirs(here)
write("queue.py")
import queue
print(mark(calendar), mark(queue))
""",
    "directories that are added, that are not there, and that are no text": """
write("calendar.py", where="/tmp/added")
sys.path[0:0] = ["/tmp/added", "/tmp/nowhere", 7, b"/tmp/added"]
write("queue.py", where="/tmp/nowhere")
import calendar
import queue
print(mark(calendar), mark(queue))
""",
    "below the working directory, which changes": """
sys.path[0] = ""
write("csv.py", where="/tmp/there")
os.chdir("/tmp/there")
import csv
os.chdir("/tmp")
import queue
print(mark(csv), mark(queue))
""",
    "an archive": """
import zipfile
with zipfile.ZipFile("/tmp/archive.zip", "w") as archive:
    archive.writestr("calendar.py", "MARK = 'archive'")
    archive.writestr("html/__init__.py", "MARK = 'archive'")
sys.path.insert(0, "/tmp/archive.zip")
import calendar, html, queue
print(mark(calendar), mark(html), mark(queue))
""",
    "finders of the program's own": """
asked = []
class Asked:
    @staticmethod
    def find_spec(name, path=None, target=None):
        asked.append(name)
import csv
sys.meta_path.insert(0, Asked)
import calendar
import csv
sys.meta_path.remove(Asked)
import queue
print(asked[0], "csv" in asked, "queue" in asked)
""",
    "hooks and caches of the path": """
import importlib.machinery
seen = []
def hook(path):
    seen.append(path)
    raise ImportError
sys.path_hooks.insert(0, hook)
import calendar
sys.path_importer_cache.clear()
import queue
print(here in seen, any(path.endswith("/python3.14") or "lib/python3" in path for path in seen), mark(calendar), mark(queue))
""",
    "packages of the library": """
write("xml/__init__.py", "MARK = 'own'")
import http
http.__path__.insert(0, "/tmp/http")
write("client.py", where="/tmp/http")
import http.client, http.cookies
print(mark(http.client), mark(http.cookies))
try:
    import xml.dom.minidom
except ModuleNotFoundError as error:
    print(error)
import importlib
print(importlib.import_module("concurrent.futures").__name__, hasattr(sys.modules["concurrent"], "futures"))
""",
    "names that lead nowhere": """
sys.modules["csv"] = None
for name in ("csv", "queue.nothing", "nothing.queue"):
    try:
        __import__(name)
    except ImportError as error:
        trace, frames = error.__traceback__, 0
        while trace is not None:
            trace, frames = trace.tb_next, frames + 1
        print(type(error).__name__, error, error.name, frames)
""",
    "an error below the import of a package": """
import traceback
write("xml/__init__.py", "raise ValueError('own')")
try:
    import xml.dom
except ValueError as error:
    print([frame.name for frame in traceback.extract_tb(error.__traceback__)])
""",
}

for number, (title, program) in enumerate(PROGRAMS.items()):
    directory = f"/tmp/programs/{number}"
    os.makedirs(directory)
    with open(f"{directory}/start.py", "w") as file:
        file.write(PRELUDE + program)
    done = subprocess.run([sys.executable, f"{directory}/start.py"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(f"{title}:", *done.stdout.splitlines(), sep="\n    ")
