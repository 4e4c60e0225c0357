import sys, os, importlib
os.makedirs("/tmp/proj/pkg/sub"); sys.path.insert(0, "/tmp/proj")
open("/tmp/proj/pkg/__init__.py", "w").write("from .core import value\n__all__ = ['value']")
open("/tmp/proj/pkg/core.py", "w").write("value = 41\ndef fail():\n    raise RuntimeError('inside')\n")
open("/tmp/proj/pkg/sub/__init__.py", "w").write("from ..core import value as v\n")
import pkg, pkg.sub; print(pkg.value, pkg.sub.v, pkg.__file__, pkg.core.__cached__)
print(os.path.exists("/tmp/proj/pkg/__pycache__"))
open("/tmp/proj/pkg/core.py", "w").write("value = 4200\n"); print(importlib.reload(pkg.core).value)
open("/tmp/proj/broken.py", "w").write("def f(:\n")
try: import broken
except SyntaxError as e: print(e.filename, e.lineno, e.msg)
import runpy; print(runpy.run_path("/tmp/proj/pkg/core.py")["value"])
exec("print('exec', 1 + 1)"); ns = {}; exec(compile("def g(): return 5", "g.py", "exec"), ns); print(ns["g"]())
