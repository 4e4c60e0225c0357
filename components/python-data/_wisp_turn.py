"""Entry of the component `python3` of the data image: what `_wisp_entry` is for the shipped one. Its import, while the image is
made, puts everything in place and warms it up; `go` is what the bridge calls afterwards."""

import atexit
import contextlib
import functools
import gc
import importlib
import io
import os
import posix
import sys

LIBRARY = f"/usr/lib/python3.{sys.version_info.minor}"
ARCHIVE = f"/usr/local/lib/python3{sys.version_info.minor}.zip"
HOME = "/home/user"

sys.path[:] = [LIBRARY, ARCHIVE, LIBRARY + "/site-packages"]
os.environ["MPLBACKEND"] = "agg"

import matplotlib.font_manager  # noqa: E402 (it looks for its fonts, in the files of the build)

if not matplotlib.font_manager.fontManager.ttflist:
    raise RuntimeError("matplotlib found no fonts")

from _wisp import paths  # noqa: E402 (the paths come first)

paths.LIBRARY, paths.SITE_PACKAGES = LIBRARY, LIBRARY + "/site-packages"
paths.ZONES = ARCHIVE + "/tzdata/zoneinfo"
paths.BINDINGS = LIBRARY + "/wit_world/"
paths.OWN = (LIBRARY + "/_wisp/", paths.BINDINGS, LIBRARY + "/_wisp_turn.py", LIBRARY + "/_wisp_plots.py")
paths.LOCKING = ("threading.py", "queue.py")
paths.standard_path = lambda: [LIBRARY, ARCHIVE, paths.SITE_PACKAGES]
paths.user_packages = lambda base: f"{base}/lib/python3.{sys.version_info.minor}/site-packages"
_start_path = paths.start_path


def _with_archive(path):
    """The path with the standard library's archive after its directory."""
    path.insert(path.index(LIBRARY) + 1, ARCHIVE)
    return path


paths.start_path = lambda options, environment: _with_archive(_start_path(options, environment))

import _wisp_lacking  # noqa: E402

_wisp_lacking.install()

import numpy  # noqa: E402
from wit_world import abi  # noqa: E402

from _wisp import (  # noqa: E402
    chance,
    descriptors,
    ending,
    evaluations,
    full_disk,
    install,
    modules,
    own_sockets,  # noqa: F401 (before all that asks for `socket`)
    own_ssl,  # noqa: F401 (before all that asks for `ssl`)
    refusals,
    signals,
    start,
    stdio,
    warm,
)

#: Imported before the snapshot, beside those of the shipped image.
PACKAGES = """
numpy numpy.linalg numpy.fft numpy.random pandas scipy scipy.stats scipy.optimize scipy.linalg scipy.signal scipy.interpolate
scipy.sparse sklearn sklearn.cluster sklearn.linear_model sklearn.ensemble sklearn.model_selection sklearn.preprocessing
sklearn.metrics sklearn.decomposition matplotlib matplotlib.pyplot matplotlib.backends.backend_agg matplotlib.backends.backend_svg
PIL.Image PIL.PngImagePlugin PIL.JpegImagePlugin lxml.etree regex yaml openpyxl dateutil
""".split()

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
    modules.keep_code("web_httpx")


def _restart_with_archive(restart=evaluations.restart):
    restart()
    _with_archive(sys.path)


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


def _settle():
    """Leave the heap as a new process should find it."""
    sys.prefix = sys.exec_prefix = sys.base_prefix = sys.base_exec_prefix = paths.PREFIX
    sys.executable = sys._base_executable = paths.EXECUTABLE
    os.environ.pop("MPLBACKEND", None)
    _forget_files()
    chance.renew = _renew
    posix.chdir(HOME)
    start.preloaded = frozenset(sys.modules) - {"__main__"}
    atexit._clear()
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
    evaluations._USER_PACKAGES = paths.user_packages(HOME + "/.local")
    evaluations.restart = _restart_with_archive
    evaluations.take_over = _take_over
    with open(LIBRARY + "/wit_world/world.json", encoding="utf-8") as file:
        text = file.read()
    _exports = abi.install(text, [_run, evaluations.evaluate, evaluations.park])
    _load()
    for source in _PROGRAMS:  # before files are the host's: matplotlib looks for its fonts
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, "<warm-up>", "exec"), {"__name__": "__main__"})
    full_disk.install = lambda: None  # it replaces a table that CPython 3.15 does not have
    refusals._refuse_pools = lambda: None  # it replaces a function that CPython 3.15 does not have
    install.install()
    import _wisp_plots

    _wisp_plots.install()
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
