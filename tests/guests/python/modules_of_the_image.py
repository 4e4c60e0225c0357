"""Modules that are there before the program starts look as if they were not."""
import sys

before = sorted(name for name in sys.modules if not name.startswith("_") and name not in sys.builtin_module_names)
print(before)

import importlib
import importlib.util
import os
import pickle
import pkgutil
import runpy
import subprocess

OURS = "app _wisp _wisp.start _wisp_entry wit_world wit_world.imports componentize_py_types componentize_py_runtime sqlite_shell wisp_entry".split()
for name in OURS:
    try:
        importlib.import_module(name)
        print(name, "can be imported")
    except ModuleNotFoundError as error:
        if importlib.util.find_spec(name.partition(".")[0]) is not None:
            print(name, "is found", error)
strange = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"__main__"}
print(strange, set(sys.builtin_module_names) - set(sys.stdlib_module_names))
print(sorted({module.name for module in pkgutil.iter_modules()} - set(sys.stdlib_module_names) - {p[:-3] for p in os.listdir("/mnt/cases") if p.endswith(".py")}))

# An import loads the same submodules as elsewhere, and nothing is loaded before it.
print([name in sys.modules for name in ("json", "json.decoder", "decimal", "numbers")])
print(importlib.util.find_spec("json").origin, "json" in sys.modules)
import json
print([name in sys.modules for name in ("json", "json.decoder", "re", "decimal", "numbers")], json.__spec__.loader is json.__loader__)
import xml.dom.minidom
print([name in sys.modules for name in ("xml", "xml.dom", "xml.dom.minidom", "collections.abc", "copy")], sys.modules["xml.dom.minidom"] is xml.dom.minidom)
import urllib, xml
print(hasattr(urllib, "request"), hasattr(xml, "sax"))
from concurrent import futures
from urllib import request
print("concurrent.futures" in sys.modules, "urllib.parse" in sys.modules, urllib.parse.quote("a b"), importlib.import_module("decimal").Decimal("1.5"), importlib.import_module(".minidom", "xml.dom").__name__)

# Loaded again: by reload, by a fresh import, by hand.
old = json.loads
print(importlib.reload(json) is json, json.loads is old, json.loads("[1]"))
del sys.modules["json"]
import json as fresh
print(fresh is json, fresh.loads("[2]"))
spec = importlib.util.find_spec("textwrap")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
again = importlib.util.module_from_spec(spec)
spec.loader.exec_module(again)
import textwrap
print(module.dedent("  a"), again.dedent("  b"), again is module, textwrap.dedent("  c"))
import wisp
del sys.modules["wisp"]
import wisp as other
print(other is wisp, other.limits() == wisp.limits(), importlib.reload(other).policy() == wisp.policy(), "wit_world" in sys.modules)

# Pickles name modules; a module runs by its name; a package has more than the snapshot contains.
import fractions
print(pickle.loads(pickle.dumps(fractions.Fraction(1, 3))), pickle.loads(b"cstatistics\nmean\n.")([1, 2]))
print(subprocess.run([sys.executable, "-m", "json.tool", "--compact"], input="[1, 2]", capture_output=True, text=True))
print(subprocess.run([sys.executable, "-m", "calendar", "2024", "2"], capture_output=True, text=True).stdout.splitlines()[0])
print(runpy.run_module("base64")["b64encode"](b"x"), type(json.__loader__), sys.path_importer_cache["/usr/lib/python3.14"])
import email.mime.text
print(email.mime.text.MIMEText("x").get_content_type(), importlib.import_module("logging.handlers").__name__)
importlib.invalidate_caches()
sys.path_importer_cache.clear()
import difflib
print(difflib.get_close_matches("appel", ["apple"]), difflib.__file__)
import httpx, requests
print(httpx.HTTPTransport.__module__, "_wisp" in sys.modules, any(name.startswith("wit_world") for name in sys.modules))
