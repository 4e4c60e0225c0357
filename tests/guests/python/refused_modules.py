import importlib.util
for name in ("ctypes", "bz2", "lzma", "_dbm", "curses", "tkinter", "_tkinter", "syslog", "mmap", "nosuchmodule"):
    try: __import__(name); print(name, "imported")
    except ImportError as e: print(name, "|", type(e).__name__, e)
print(importlib.util.find_spec("nis"), importlib.util.find_spec("_ctypes"))
import tarfile, zipfile, shutil
print([f[0] for f in shutil.get_archive_formats()])
try: tarfile.open("/tmp/x.tar.bz2", "w:bz2")
except tarfile.CompressionError as e: print(e)
try: zipfile.ZipFile("/tmp/x.zip", "w", zipfile.ZIP_LZMA)
except RuntimeError as e: print(e)
