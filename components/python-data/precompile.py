# What the module's Python runs before it is warmed up: it compiles the modules of the image that have a source, so that no process does,
# and writes down which names are the standard library's. `turn` gives it `__main__`.
import importlib.util
import os
import sys
import warnings
from importlib import _bootstrap_external as loaders

warnings.simplefilter("ignore")  # what compilers say about older sources
for _folder, _, _names in os.walk("/usr/lib"):
    for _name in _names:
        _path = f"{_folder}/{_name}"
        if not _name.endswith(".py"):
            continue
        with open(_path, "rb") as _file:
            _source = _file.read()
        try:
            _code = compile(_source, _path, "exec", dont_inherit=True, optimize=0)
        except SyntaxError:
            continue  # a template, or what is for another Python
        # As in the shipped image: used without a look at the source, for the base layer is read-only.
        _compiled = loaders._code_to_hash_pyc(_code, importlib.util.source_hash(_source), False)
        os.makedirs(f"{_folder}/__pycache__", exist_ok=True)
        with open(importlib.util.cache_from_source(_path), "wb") as _file:
            _file.write(_compiled)
with open("/tmp/standard", "w") as _file:
    _file.write("\n".join(sorted(sys.stdlib_module_names)))
