"""Warms the interpreter up before the snapshot: imports what programs commonly import and runs what they commonly run, so
that a new process finds both done. Nothing here may call the host."""

import atexit
import contextlib
import gc
import importlib
import posix
import sys
import threading
import types

from componentize_py_types import Err
from wit_world.exports.evaluation import Setting
from wit_world.imports import files, process

from . import chance, ending, evaluations, first_call, immortal, linux_errors, modules, recording, rich, room, signals, start, stdio

#: Imported before the snapshot. Each module costs memory in the image and saves its import in every program that uses it.
MODULES = """
__future__ abc argparse array ast asyncio base64 binascii bisect calendar cmath codecs collections collections.abc
configparser contextlib contextvars copy copyreg csv dataclasses datetime decimal difflib dis email.message
email.parser email.utils encodings.ascii encodings.idna encodings.latin_1 encodings.utf_8_sig enum errno fnmatch
fractions functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac host html html.parser
http.client importlib.metadata importlib.resources importlib.util inspect io ipaddress itertools json keyword
linecache locale logging math mimetypes numbers opcode operator os pathlib pickle pkgutil platform pprint pwd queue
random re reprlib runpy secrets select selectors shlex shutil signal socket sqlite3 ssl stat statistics string struct
subprocess sys sysconfig tarfile tempfile textwrap threading time timeit token tokenize tomllib traceback types typing
unicodedata urllib.error urllib.parse urllib.request uuid warnings weakref wisp xml.dom.minidom xml.etree.ElementTree
xml.parsers.expat xml.sax.saxutils zipfile zlib zoneinfo
""".split()

#: Our modules that extend libraries that are not in the snapshot.
LATER = [
    "manager_server", "manager_waits", "multiprocess", "pools", "process_pool", "semaphores", "shared_memory", "shared_values", "web_httpx",
]

_PROGRAMS = (
    "print(2+2)\n",
    """
import json
numbers = [i * i for i in range(10)]
text = json.dumps({"a": numbers, "b": {"c": None, "d": 1.5, "e": "é"}}, indent=2, sort_keys=True)
print(json.loads(text)["a"], f"{3.14159:.2f} {42:>8,} {'x':^5}")
def f(a, b=1, *c, **d):
    return a + b
class Point:
    def __init__(self, x):
        self.x = x
    def __repr__(self):
        return f"Point({self.x})"
print(f(3), sorted([Point(2), Point(1)], key=lambda p: p.x))
try:
    {}["missing"]
except KeyError as error:
    print("no", error)
""",
    """
import re, collections, datetime, dataclasses, itertools, functools, random, statistics, csv, io, hashlib, math
words = re.findall(r"\\w+", "the quick brown fox jumps over the lazy dog the end")
print(collections.Counter(words).most_common(3), re.sub(r"(o)(\\w)", r"\\2\\1", "fox over"))
print(datetime.date(2024, 2, 29) + datetime.timedelta(days=1), datetime.datetime(2024, 1, 1).isoformat())
@dataclasses.dataclass
class Item:
    name: str
    price: float = 1.0
print(Item("a"), sum(range(100)), math.sqrt(2), statistics.mean([1, 2, 3]), random.Random(1).random())
out = io.StringIO()
csv.writer(out).writerows([[1, "a,b"], [2, "c"]])
print(list(csv.reader(io.StringIO(out.getvalue()))), hashlib.sha256(b"x").hexdigest())
print(list(itertools.islice(itertools.count(), 3)), functools.reduce(lambda a, b: a * b, range(1, 6)))
async def nothing():
    pass
""",
)

_CELLS = (
    "2+2",
    "x = 1\nx",
    "def f():\n    return 1 / 0\nf()\n",
    "x = (1,\n",
    "pirnt(1)\n",
    "raise SystemExit(0)",
)


def load():
    """Import the modules. Runs before the replacements are installed, which would call the host."""
    for name in MODULES:
        importlib.import_module(name)
    recording.catch_up()
    for name in LATER:
        modules.keep_code(name)


class _Left(BaseException):
    """Represents the end of the process."""


def _leave(status):
    raise _Left(status)


def _nothing_there(*arguments):
    raise Err(files.ErrorCode.NO_ENTRY)


@contextlib.contextmanager
def _without_host():
    """Run without a host: output is discarded, no file exists, and the end of the process is an exception."""
    stand_ins = {
        (process, "write_to"): lambda number, data: None,
        (process, "read_from"): lambda number, length: b"",
        (process, "exit"): _leave,
        (process, "arguments"): lambda: [b"python3", b"-c", b"print(2+2)"],
        (process, "environment"): lambda: list(start.environment_of_image),
        (process, "descriptors"): lambda: [0, 1, 2],
        (process, "ignore_broken_pipe"): lambda ignore: None,
        (process, "has_signal_flags"): lambda: True,
        (process, "handle_signals"): lambda handled: None,
        (process, "ignored_signals"): lambda: 0,
        (start.host_environment, "initial_cwd"): lambda: posix.getcwd(),
        (files, "stat_at"): _nothing_there,
        (rich.frontend, "show"): lambda shown: None,
        (threading, "_shutdown"): lambda: None,  # each works once
        (atexit, "_run_exitfuncs"): lambda: None,
    }
    kept = {(module, name): getattr(module, name) for module, name in stand_ins}
    for (module, name), stand_in in stand_ins.items():
        setattr(module, name, stand_in)
    try:
        yield
    finally:
        for (module, name), function in kept.items():
            setattr(module, name, function)


def run():
    """Run everything a few times: the interpreter specializes its code, and objects made at first use exist afterwards."""
    stdio.prepare()
    start.set_environment(start.environment_of_image)
    with _without_host():
        for _ in range(10):
            evaluations.prepare()
            for source in (*_PROGRAMS, *_CELLS):
                evaluations.evaluate(source, None)
        start.preloaded = frozenset(sys.modules) - {"__main__"}
        for _ in range(10):
            try:
                start.main()
            except _Left:
                pass


def settle(evaluate):
    """Leave the heap as a new process should find it. `evaluate` is the exported function, as the host calls it."""
    posix.chdir("/0/home/user")  # `build` removes the /0
    signals.prepare()  # it looks for the bindings, which are hidden from here on
    start.preloaded = modules.hide() - {"__main__"}
    ending.prepare()
    chance.prepare()
    gc.collect()
    gc.freeze()
    room.make()
    # From here on, new objects are placed together: the code that every process runs, the streams, the namespace.
    _move_code()
    stdio.prepare()
    evaluations.prepare()
    _rehearse(start.main, 20)
    _rehearse(lambda: evaluate("[__import__(name) for name in ('json', 'csv', 'xml.dom.minidom')] and None", _setting()), 20)
    _rehearse(lambda: evaluate("print(2+2)", _setting()), 60)
    sys.orig_argv = []
    linux_errors.settle()
    gc.collect()
    room.make()
    immortal.write("/0/immortal")  # from here on, nothing that exists may be freed
    gc.freeze()
    _rehearse(lambda: evaluate("print(2+2)", _setting()), 3)
    first_call.prepare()
    gc.enable()


def _move_code():
    """Move the code of every start and every cell to one place: running code writes to it, because it counts."""
    hot = [sys.modules[f"_wisp.{name}"] for name in _HOT]
    hot += [sys.modules[name] for name in ("_wisp_entry", "_wisp.modules", "_wisp.shadows", "_frozen_importlib", "_frozen_importlib_external")]
    hot.append(process)
    classes = [thing for module in hot for thing in vars(module).values() if isinstance(thing, type)]
    old = []  # keep these to the end, or the new objects would be placed in the holes that they leave
    for place in (*hot, *classes, Setting, evaluations.Outcome, evaluations.Value):
        for thing in list(vars(place).values()):
            thing = getattr(thing, "__func__", thing)  # of class methods
            if isinstance(thing, types.FunctionType):
                old.append(thing.__code__)
                thing.__code__ = thing.__code__.replace()


_HOT = "evaluations rich stdio errors chance start descriptors options paths program ending tracebacks signals".split()


def _setting():
    """What the first cell of a process brings."""
    return Setting(evaluations._environment, None, bytes(32), [], False, True)


def _rehearse(step, times):
    """Do once more what every process does first, in the memory where it will do so: what it needs is then nearby."""
    with _without_host():
        for _ in range(times):
            try:
                step()
            except _Left:
                pass
            evaluations.restart()
            chance.forget()
            modules.forget()
