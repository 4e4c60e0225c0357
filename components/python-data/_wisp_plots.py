"""Plots where people look for them: `plt.show()` shows a figure in the program that evaluates code, else saves it to the output
directory, unless it is there already as it is; a file that `savefig` writes without a folder is there too."""

import builtins
import contextlib
import functools
import io
import os
import shutil
import weakref

from componentize_py_types import Err
from matplotlib import pyplot
from matplotlib.figure import Figure
from wit_world.imports import artifacts

from _wisp import rich

_savefig, _draw = Figure.savefig, Figure.draw

#: The figures that the output directory has as they are now, each with the callback for changes that it had; and those being drawn.
_saved, _drawn = weakref.WeakKeyDictionary(), weakref.WeakSet()


@contextlib.contextmanager
def _unchanged(figure):
    """While a figure is drawn or saved: its parts say that they change, but it looks the same afterwards."""
    outer = figure in _drawn
    _drawn.add(figure)
    try:
        yield
    finally:
        if not outer:
            _drawn.discard(figure)


def _changed(figure, stale):
    """What matplotlib calls when a part of a saved figure changes (`stale`)."""
    before = _saved.get(figure)
    if figure not in _drawn:
        figure.stale_callback = _saved.pop(figure, None)
    if before is not None:
        before(figure, stale)


@functools.wraps(_draw)
def draw(self, renderer):
    """Draw the figure; see `matplotlib.figure.Figure.draw`."""
    with _unchanged(self):
        return _draw(self, renderer)


def _title(figure):
    """What the figure is called: its own title, else that of its first plot."""
    titles = [figure.get_suptitle(), *(axes.get_title() for axes in figure.axes)]
    return next((title for title in titles if title), None)


def _label(figure, path):
    try:
        artifacts.set_label(path, artifacts.Label(_title(figure), None))
    except Err:
        pass  # the file is an artifact without it


def savefig(self, fname, **options):
    """Save the figure; see `matplotlib.figure.Figure.savefig`."""
    with _unchanged(self):
        _savefig(self, fname, **options)
    if not isinstance(fname, (str, os.PathLike)):
        return
    name = os.fsdecode(fname)
    path, output = os.path.abspath(name), artifacts.directory()
    if not os.path.exists(path):  # a name without an ending gets one
        path = f"{path}.{options.get('format') or pyplot.rcParams['savefig.format']}"
    if not os.path.dirname(name) and os.path.dirname(path) != output:
        path = shutil.copy(path, output)
    if path.startswith(output + "/"):
        _label(self, path)
        if self not in _saved:
            _saved[self], self.stale_callback = self.stale_callback, _changed


def show(*arguments, **options):
    """Show all open figures, and close them."""
    attended = getattr(builtins, "display", None) is rich.display
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        if attended:
            rich.display(figure)
            continue
        if figure in _saved:
            continue
        output = artifacts.directory()
        place = next(path for count in range(1, 10_000) if not os.path.exists(path := f"{output}/figure-{count}.png"))
        savefig(figure, place)
    pyplot.close("all")


def _repr_png_(self):
    data = io.BytesIO()
    with _unchanged(self):
        _savefig(self, data, format="png")
    return data.getvalue()


def install():
    """Put them into matplotlib."""
    Figure.draw, Figure.savefig, Figure._repr_png_, pyplot.show = draw, savefig, _repr_png_, show
