"""A compiler of C for the guests: zig's, a package of PyPI. Only SQLite is C (components/sqlite), whose crate asks cargo's crate `cc` for one."""

import os
import shlex
from pathlib import Path

from . import cache, guests, python_env
from .pins import key, pins

#: cargo's `cc` looks for these names.
TARGET = guests.TARGET.replace("-", "_")

#: For a shared library of a component; what an error would report with zig's own checks is for programs of C's authors.
FLAGS = "-fPIC -fvisibility=hidden -fno-sanitize=all"

#: SQLite as Debian compiles it, as far as the crate does not have it so: without what the crate adds, and on our file system.
SQLITE = """
-DSQLITE_OS_OTHER=1
-USQLITE_THREADSAFE -DSQLITE_THREADSAFE=1 -DSQLITE_MUTEX_NOOP
-USQLITE_DEFAULT_FOREIGN_KEYS -USQLITE_ENABLE_API_ARMOR -USQLITE_ENABLE_STAT4
-USQLITE_ENABLE_LOAD_EXTENSION -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_MAX_MMAP_SIZE=0
-DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_ENABLE_PERCENTILE -DSQLITE_ENABLE_STMTVTAB
-DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_SECURE_DELETE -DSQLITE_MAX_VARIABLE_NUMBER=250000
"""


def environment() -> dict:
    """The variables by which cargo finds the compiler, and SQLite what it shall have."""
    folder = guests.WORK / "c-compiler"
    folder.mkdir(parents=True, exist_ok=True)
    zig = shlex.quote(str(fetched() / "zig"))
    return {
        f"CC_{TARGET}": str(_program(folder, "cc", f"""for word do
  shift
  case $word in --target=*) ;; *) set -- "$@" "$word" ;; esac
done
exec {zig} cc -target wasm32-wasi "$@"
""")),
        f"AR_{TARGET}": str(_program(folder, "ar", f'exec {zig} ar "$@"\n')),
        f"CFLAGS_{TARGET}": FLAGS,
        "LIBSQLITE3_FLAGS": " ".join(SQLITE.split()),
        "ZIG_GLOBAL_CACHE_DIR": str(folder / "cache"),
        "ZIG_LOCAL_CACHE_DIR": str(folder / "cache"),
    }


def fetched() -> Path:
    """The folder of zig, which is fetched once."""
    pin = pins()["c-compiler"]
    place = python_env.folder(pin)
    if not python_env.ready(place):
        with cache.lock("c-compiler"):
            python_env.make(pin, "downloading zig, the compiler of C (95 MB)")
    return next(place.glob("lib/python*/site-packages/ziglang"))


def settings() -> list:
    """What decides, beside the sources, what is compiled."""
    return [pins()["c-compiler"], FLAGS, SQLITE.split()]


def _program(folder: Path, name: str, text: str) -> Path:
    """A program of the shell with this text. Its name says which: cargo compiles again for another compiler, and looks at no contents."""
    path = folder / f"{name}-{key(text)}"
    if not path.exists():  # by a rename, because `build` and `lint` run side by side: no program that runs may be written to
        scratch = folder / f"{path.name}.{os.getpid()}.new"
        scratch.write_text(f"#!/bin/sh\n{text}")
        scratch.chmod(0o755)
        os.replace(scratch, path)
    return path
