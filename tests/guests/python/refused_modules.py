import importlib.util
for name in ("_hashlib", "_dbm", "curses", "tkinter", "_tkinter", "mmap", "nosuchmodule"):
    try: __import__(name); print(name, "imported")
    except ImportError as e: print(name, "|", type(e).__name__, e)
print(importlib.util.find_spec("nis"), importlib.util.find_spec("_dbm"))
import shutil
print([f[0] for f in shutil.get_archive_formats()])
