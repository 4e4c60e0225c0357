"""Entry of the component `python3` of the data image: what `_wisp_entry` is for the shipped one. Its import, while the image is
made, puts everything in place and warms it up; `go` is what the bridge calls afterwards."""

# The order of the imports is what this file is about, so that no program may sort them (ruff.toml): the paths before what is found by
# them, our `socket` and `ssl` before all that imports those, matplotlib while it can read its fonts, `_wisp` before the host is there.
import _imp
import sys
import zipimport

# The base began with another archive (`split` in toolchain/python-data). What it remembers of it are places in that one.
zipimport._zip_directory_cache.clear()


def _code_of_archive(importer, pathname, *others, read=zipimport._unmarshal_code):
    """The code of a module of an archive, with the name of the file where it is now. What looks for the first frame outside of a package
    compares the two, as pandas does to say where a warning comes from."""
    code = read(importer, pathname, *others)
    if code is not None:
        _imp._fix_co_filename(code, pathname.removesuffix("c"))
    return code


zipimport._unmarshal_code = _code_of_archive

import atexit
import contextlib
import functools
import gc
import importlib
import io
import os
import posix
import threading
import types

from _wisp import paths

ARCHIVE = f"/usr/local/lib/python3{sys.version_info.minor}.zip"
HOME = "/home/user"

paths.STANDARD.append(ARCHIVE)
paths.PACKAGES.append(paths.LIBRARY + "/packages.zip")
paths.OWN = (*paths.OWN, paths.LIBRARY + "/_wisp_")
paths.LOCKING = (ARCHIVE + "/threading.py", ARCHIVE + "/queue.py")
sys.path[:] = paths.standard_path()

import _wisp_errors

_wisp_errors.install()

import _wisp_lacking

_wisp_lacking.install()

from _wisp import own_sockets  # as in _wisp_entry.py
from _wisp import own_ssl

os.environ["MPLBACKEND"] = "agg"

import matplotlib.font_manager

if not matplotlib.font_manager.fontManager.ttflist:
    raise RuntimeError("matplotlib found no fonts")

import dateutil.tz.tz
import numpy

from wit_world import abi

import _wisp_packages

from _wisp import chance, descriptors, ending, evaluations, install, linux_errors, locks, modules, relocate, signals, spelling, start, stdio, warm

_wisp_packages.install()
spelling.as_spelled = True

#: Imported before the snapshot, beside those of the shipped image.
PACKAGES = """
numpy numpy.linalg numpy.fft numpy.random pandas scipy scipy.stats scipy.optimize scipy.linalg scipy.signal scipy.interpolate
scipy.sparse sklearn sklearn.cluster sklearn.linear_model sklearn.ensemble sklearn.model_selection sklearn.preprocessing
sklearn.metrics sklearn.decomposition matplotlib matplotlib.pyplot matplotlib.backends.backend_agg matplotlib.backends.backend_svg
PIL.Image PIL.PngImagePlugin PIL.JpegImagePlugin lxml.etree regex yaml openpyxl dateutil
""".split()

#: What the base is started with differs from how `python3` is.
_FLAGS = {"dont_write_bytecode": 0, "hash_randomization": 1, "ignore_environment": 0, "isolated": 0, "no_site": 0, "no_user_site": 0, "safe_path": False}

#: Modules of the shipped image that this CPython lacks.
_LACKING = frozenset()

_PROGRAMS = (
    "import numpy as np; print(np.arange(10).sum(), np.random.default_rng(1).random(), np.linalg.inv(np.eye(3)).sum())\n",
    """
import io, pandas as pd
table = pd.DataFrame({"k": list("abcab"), "v": [1, 2, 3, 4, 5], "t": pd.date_range("2024-01-01", periods=5)})
print(table.groupby("k")["v"].sum(), table.describe(), table.merge(table, on="k").shape, table.to_csv(index=False))
print(pd.read_csv(io.StringIO("a,b\\n1,x\\n2,y\\n")), table._repr_html_())
""",
    """
import io
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.plot([1, 2, 3], [1, 4, 9], label="x")
axes.set_title("t")
axes.legend()
figure.savefig(io.BytesIO(), format="png")
plt.close("all")
""",
)


def _load():
    """Import what there is; what is missing is said once, when the image is made."""
    for name in [*warm.MODULES, *PACKAGES]:
        if name in _LACKING:
            continue
        try:
            importlib.import_module(name)
        except ImportError as error:
            print(f"not in the image: {name} ({error})", file=sys.stderr)
    for name in warm.LATER:
        modules.keep_code(name)


def _forget_processes():
    """Let a program import `multiprocessing` for itself: this copy has a key, a directory and numbers of the process that made the image. What
    packages have of it is for work side by side, which they found missing (`_multiprocessing`), and so they do all of it themselves."""
    for name in [*sys.modules]:
        if name.partition(".")[0] == "multiprocessing" or name == "concurrent.futures.process":
            del sys.modules[name]
    vars(sys.modules["concurrent.futures"]).pop("process", None)
    semaphores = modules.load_later("semaphores")
    ours = sys.modules["_multiprocessing"] = types.ModuleType("_multiprocessing")
    ours.SemLock, ours.sem_unlink, ours.flags = semaphores.SemLock, semaphores.sem_unlink, {}


def _take_over(handles):
    """Drop the handles that a copy begins with: the C side's state is new in it, and opens `/` itself when it needs it."""
    for descriptor in handles:
        descriptor.finalizer()
    descriptors._root_is_held = False


def _forget_files():
    """Drop what refers to files that are open now: matplotlib keeps its fonts, each with its file."""
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper) and (thing.__module__ or "").startswith("matplotlib"):
            thing.cache_clear()
    gc.collect()


def _seed(entropy=None):
    """Give numpy's own generator, which the snapshot has, numbers of this process."""
    random = numpy.random
    random.seed(list(memoryview(os.urandom(32) if entropy is None else bytes(entropy[:32])).cast("I")))


def _renew(entropy, renew=chance.renew):
    renew(entropy)
    _seed(entropy)


#: The modules of which `install` replaces functions that others may have kept.
_REPLACED = ("os", "select", "signal", "threading", "time")


def _functions():
    """The functions of those modules: {(module, name): function}."""
    return {(place, name): thing for place in _REPLACED for name, thing in vars(sys.modules[place]).items() if name[0] != "_" and callable(thing)}


def _follow(before):
    """Let libraries have the functions that `install` put in the place of the standard library's. Here they are imported before it, unlike
    in the shipped image, and some kept the old ones: by `from os import close`, as the default of a parameter, in a class."""
    after = _functions()
    moved = {id(old): after[place] for place, old in before.items() if after.get(place, old) is not old}
    own = ("_wisp", "_wisp_lacking", "_wisp_turn", "componentize_py_types", "wit_world", *_REPLACED)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if type(module) is types.ModuleType and file and name.partition(".")[0] not in own and os.path.dirname(file) != paths.LIBRARY:
            _follow_in(vars(module), vars(module).__setitem__, module.__name__, moved, set())


def _follow_in(names, put, module, moved, seen):
    """Replace them among the names of a module or of a class, and in the functions and classes that the module defines itself."""
    for name, thing in list(names.items()):
        if id(thing) in moved:
            put(name, moved[id(thing)])
            continue
        if type(thing) in (staticmethod, classmethod):
            thing = thing.__func__
        if type(thing) is types.FunctionType and thing.__module__ == module:
            if thing.__defaults__:
                thing.__defaults__ = tuple(moved.get(id(value), value) for value in thing.__defaults__)
            if thing.__kwdefaults__:
                thing.__kwdefaults__ = {key: moved.get(id(value), value) for key, value in thing.__kwdefaults__.items()}
        elif issubclass(type(thing), type) and thing.__module__ == module and id(thing) not in seen:
            seen.add(id(thing))
            _follow_in(vars(thing), functools.partial(_put_in_class, thing), module, moved, seen)


def _put_in_class(cls, name, thing):
    """Put a function into a class as a function of C was in it, which is no method."""
    setattr(cls, name, staticmethod(thing) if type(thing) is types.FunctionType else thing)


def _settle():
    """Leave the heap as a new process should find it."""
    os.environ.pop("MPLBACKEND", None)
    linux_errors.settle()
    _forget_files()
    _forget_processes()
    chance.renew = _renew
    posix.chdir(HOME)
    start.preloaded = frozenset(sys.modules) - {"__main__"}
    atexit._clear()
    threading._threading_atexits.clear()  # of the pools: `caller_pool` adds what they need
    ending.prepare()
    chance.prepare()
    chance._taken = True
    signals.prepare()
    stdio.prepare()
    evaluations.prepare()
    for step, times in ((start.main, 5), (lambda: evaluations.evaluate("print(2+2)", warm._setting()), 5)):
        warm._rehearse(step, times)
    sys.orig_argv = []
    gc.collect()
    gc.freeze()
    gc.enable()


def _run():
    _seed()
    start.main()


_exports = None


def go():
    """Do what the host called."""
    _exports.go()


def make():
    """Everything up to the snapshot."""
    global _exports
    modules.bring = lambda name: None
    modules.hide_own = modules.forget = lambda: None
    evaluations.take_over = _take_over
    with open(paths.BINDINGS + "world.json", encoding="utf-8") as file:
        text = file.read()
    _exports = abi.install(text, [_run, evaluations.evaluate, evaluations.park])
    _load()
    for source in _PROGRAMS:  # before files are the host's: matplotlib looks for its fonts
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, "<warm-up>", "exec"), {"__name__": "__main__"})
    before = _functions()
    locks.install_first()  # of the shipped image, `_wisp_entry.py` does it before all other imports; here they have been done
    install.install()
    _follow(before)
    relocate.settings()
    sys.flags, sys.dont_write_bytecode = start.Flags(sys.flags, _FLAGS), False
    dateutil.tz.tz.TZPATHS[:] = [paths.SITE_PACKAGES + "/pytz/zoneinfo"]  # it reads files of an old form, which those of tzdata lack
    import _wisp_files
    import _wisp_jpeg
    import _wisp_plots

    _wisp_files.install()
    _wisp_plots.install()
    _wisp_jpeg.install()
    stdio.prepare()
    start.set_environment(start.environment_of_image)
    with warm._without_host():
        for _ in range(3):
            evaluations.prepare()
            for source in (*warm._PROGRAMS, *warm._CELLS):
                found = evaluations.evaluate(source, None)
                if found.error is not None and "1 / 0" not in source and "pirnt" not in source and "(1,\n" not in source:
                    raise RuntimeError(found.error.report)
    _settle()
