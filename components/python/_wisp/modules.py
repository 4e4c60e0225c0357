"""Which modules a program finds: those that it imports, in the order of its `sys.path`.

The snapshot has some 200 modules imported. A program must not notice: its own `queue.py` beside the script is found before
the standard library's, and no name of this package, of the bindings or of the entry is visible at all. So before the
snapshot every module that CPython itself would not have imported is removed from `sys.modules`. The finder of the standard
library's directories returns a module of the snapshot at once, in place of its file: if the search of the path ends there,
nothing is read and nothing runs. If it is certain to end there (`find_and_load`), there is no search either.

A module also brings what its import would have brought: `sys.modules` names those modules from then on. A module for which
the program has its own file stays out: the library keeps its own by reference, and the program imports its file.
"""

import contextlib
import importlib._bootstrap as machinery
import importlib._bootstrap_external as loaders
import importlib.machinery
import importlib.util
import sys

from . import paths, recording, shadows

#: The modules that CPython itself imports when it starts, on Linux: no file of a program comes before them.
STARTED = frozenset(
    """_collections_abc _sitebuiltins abc codecs encodings encodings.aliases encodings.utf_8 encodings.utf_8_sig genericpath io
    os os.path posixpath site stat zipimport""".split()
)

#: The modules of the snapshot that a program has to import: by name, where their files are, and what each brings with it.
_ready, _places, _closures = {}, {}, {}

#: Where processes start.
HOME = "/home/user"

#: The directories that contain their files.
_directories = set()

#: Submodules that the import of their package does not bring along, and the name under which they are imported later.
_children = {}

#: Names of modules that were imported, or that were replaced by a module of the program.
_served = set()

#: What no program sees: this package, the bindings, the entry.
_own = {}

#: The order in which an import asks finders, if the program has not changed it.
_finders = []

#: Our modules that run when they are first needed: name → code; those that have run.
_later, _loaded = {}, {}

#: The modules of `lib/`: they need the bindings if they run again.
_LENT = frozenset("_bz2 _lzma _multiprocessing _zstd certifi fcntl grp host mmap pty pwd readline resource ssl termios wisp".split())


def _is_own(name):
    top = name.partition(".")[0]
    standard = top in sys.stdlib_module_names or top.startswith("_sysconfigdata")
    return not standard and top not in _LENT and top != "__main__"


# --- before the snapshot


def keep_code(name):
    """Compile a module of this package that cannot be imported before the program has imported another one."""
    specification = importlib.util.find_spec(f"_wisp.{name}")
    source = specification.loader.get_data(specification.origin)
    _later[name] = compile(source, f"{paths.OWN[0]}{name}.py", "exec", dont_inherit=True)


def hide():
    """Remove all modules from `sys.modules` except those that CPython imports when it starts. The last import is done."""
    recording.end()
    everything, aliases = dict(sys.modules), {}
    for name, module in everything.items():
        specification = getattr(module, "__spec__", None)
        if _is_own(name):
            _own[name] = module
        elif name in STARTED or name == "__main__" or getattr(specification, "origin", None) in ("built-in", "frozen"):
            continue
        elif specification is None or specification.name != name:
            aliases[name] = module
        else:
            _prepare(name, module)
    for name, module in aliases.items():
        parent = name.rpartition(".")[0]
        if parent in _ready:
            _ready[name] = module
            recording.imported.setdefault(parent, []).append(name)
    for name in _places:
        _closures[name] = tuple(recording.closure(name, _ready))
    for name in _places:
        parent, _, child = name.rpartition(".")
        if parent and name not in _closures.get(parent, ()):
            _children[name] = vars(everything[parent]), child
            _detach(name)
    shadows.prepare(name for name in _places if "." not in name)
    visible = {name: module for name, module in everything.items() if name not in _ready and name not in _own}
    recording.imported.clear()
    sys.modules.clear()
    sys.modules.update(_own | visible)
    _directories.update([paths.LIBRARY, *_places.values()])
    for place in (*_directories, HOME):
        kind = importlib.machinery.FileFinder if place == HOME else _Library
        sys.path_importer_cache[place] = kind(place, *loaders._get_supported_file_loaders())
    sys.path_hooks.insert(0, _finder)
    importlib.machinery.BuiltinImporter.find_spec = classmethod(_find_builtin)
    _finders.extend(sys.meta_path)
    machinery._find_and_load = find_and_load
    sys.builtin_module_names = tuple(name for name in sys.builtin_module_names if name not in _own)
    return frozenset(visible)


def _prepare(name, module):
    """A module that an import finds from now on."""
    specification = module.__spec__
    if type(specification.loader) is not importlib.machinery.SourceFileLoader:
        raise RuntimeError(f"the module {name} of the snapshot was not loaded from a file of Python: {specification}")
    specification.loader.__class__ = _Loader
    directory, _, file = specification.origin.rpartition("/")
    _ready[name] = module
    _places[name] = directory.rpartition("/")[0] if file == "__init__.py" else directory


def _detach(name):
    """Remove its name from its package, so that `from package import name` imports the submodule."""
    names, child = _children[name]
    if names.get(child) is _ready[name]:
        del names[child]


def forget():
    """Before the snapshot: undo the imports of a rehearsal."""
    for name in _served:
        if sys.modules.get(name) is _ready[name]:
            del sys.modules[name]
        if name in _children:
            _detach(name)
    _served.clear()
    shadows.forget()
    for place in list(sys.path_importer_cache):
        if place not in _directories and place != HOME:
            del sys.path_importer_cache[place]


def hide_own():
    """The very last step, after componentize-py has looked up all its names."""
    forget()
    for name in _own:
        sys.modules.pop(name, None)


# --- for a program


def is_of_image(name, module):
    """Whether a module of `sys.modules` belongs to the snapshot: the program must not take it apart."""
    return _ready.get(name) is module


@contextlib.contextmanager
def own():
    """Make our names visible while one of our modules runs."""
    others = {name: sys.modules[name] for name in _own if name in sys.modules}
    sys.modules.update(_own)
    try:
        yield
    finally:
        for name in _own:
            sys.modules.pop(name, None)
        sys.modules.update(others)


def load_later(name):
    """A module of this package whose code was kept: it runs the first time."""
    if name not in _loaded:
        module = _loaded[name] = type(sys)(f"_wisp.{name}")
        module.__package__ = "_wisp"
        with own():
            exec(_later[name], module.__dict__)
    return _loaded[name]


def bring(name):
    """Use a module of the snapshot that the program did not import: give it the modules that it imported itself."""
    if name not in _served:
        _bring(name, shadows.names())


def _bring(name, shadowed):
    """Put the modules that the import of a module brings into `sys.modules`. `shadowed` is the result of `shadows.names`."""
    present = sys.modules
    wanted = [needed for needed in _closures[name] if needed not in present and needed not in _served]
    if wanted and (shadowed is None or shadowed):
        shadowed = shadows.found({needed.partition(".")[0] for needed in wanted})
    for needed in wanted:
        if not shadowed or needed.partition(".")[0] not in shadowed:
            _served.add(needed)
            present[needed] = _ready[needed]
        if needed in _children:  # kept for the library in any case
            names, child = _children[needed]
            names[child] = _ready[needed]


_find_and_load_standard = machinery._find_and_load


def find_and_load(name, import_):
    """Import a module that is not in `sys.modules`."""
    module = _at_once(name)
    return _find_and_load_standard(name, import_) if module is None else module


def _at_once(name):
    """The imported module of the snapshot by this name, if no other module can come first in the search; else None."""
    present = sys.modules
    if name not in _places or name in _served or name in present or sys.meta_path != _finders:
        return None
    parent, _, child = name.rpartition(".")
    if parent:
        if (parent not in present and _at_once(parent) is None) or name in present:
            return None
        if getattr(present[parent], "__path__", None) != [_places[name]]:
            return None
    shadowed = shadows.names()
    if shadowed is None or name in shadowed or type(sys.path_importer_cache.get(_places[name])) is not _Library:
        return None
    module = present[name] = _ready[name]
    _served.add(name)
    _bring(name, shadowed)
    if parent:
        setattr(present[parent], child, module)
    return module


# It replaces a function of importlib; CPython leaves frames with its name out of the tracebacks of imports.
find_and_load.__code__ = find_and_load.__code__.replace(co_filename=_find_and_load_standard.__code__.co_filename)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module of the snapshot: the first time, it already exists."""

    def create_module(self, spec):
        """Return the module itself, once."""
        name = spec.name
        if name in _served or _ready[name].__spec__ is not spec:
            return None
        _served.add(name)
        return _ready[name]

    def exec_module(self, module):
        """Only bring what belongs to the module; a second load runs it as everywhere else."""
        name = self.name
        if module is _ready[name]:
            _bring(name, shadows.names())
        elif name in _LENT:
            with own():
                super().exec_module(module)
        else:
            super().exec_module(module)


class _Lent(importlib.machinery.SourceFileLoader):
    """Loads a module of `lib/` again."""

    def exec_module(self, module):
        """Run it with our names."""
        with own():
            super().exec_module(module)


class _Library(importlib.machinery.FileFinder):
    """Finds the modules of a directory of the standard library."""

    def find_spec(self, fullname, target=None):
        """Find the module of the snapshot if no program has imported it yet, else the file."""
        if target is None and fullname not in _served and _places.get(fullname) == self.path:
            return _ready[fullname].__spec__
        found = super().find_spec(fullname, target)
        if fullname in _LENT and found is not None and found.loader is not None:
            found.loader.__class__ = _Lent
        return found


def _finder(path):
    """The hook of `sys.path_hooks`."""
    if path not in _directories:
        raise ImportError("only the standard library")
    return _Library(path, *loaders._get_supported_file_loaders())


_find_standard_builtin = importlib.machinery.BuiltinImporter.find_spec


def _find_builtin(cls, fullname, path=None, target=None):
    """`BuiltinImporter.find_spec` without the runtime's own modules."""
    return None if fullname in _own else _find_standard_builtin(fullname, path, target)


# The functions must look like those that they replace.
for _kind, _standard in ((_Loader, importlib.machinery.SourceFileLoader), (_Lent, importlib.machinery.SourceFileLoader),
                         (_Library, importlib.machinery.FileFinder)):
    _kind.__name__, _kind.__qualname__, _kind.__module__ = _standard.__name__, _standard.__qualname__, _standard.__module__
