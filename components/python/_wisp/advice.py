"""Advice about packages and programs that are missing: a note on the exception that ends a program, and the message of `python3 -m`.

The exception is CPython's own, with its text unchanged; the note is added only if nothing caught it. Another image has other
packages, and changes the tables (../../python-data/_wisp_packages.py).
"""

import importlib.metadata
import importlib.util
import sqlite3
import sys

from . import paths

#: How to get a package of pure Python.
_BRING = "where the policy names an index or a folder of wheels (`[python]`)"

#: Packages of pure Python whose wheel is not named after the module.
WHEELS = {"barcode": "python-barcode", "dotenv": "python-dotenv", "slugify": "python-slugify", "websocket": "websocket-client"}

#: Packages of pure Python whose wheel has the name of the module.
_PURE = frozenset(
    """altair arrow boltons bottle cachetools colorama dask deepdiff docopt docutils faker flask freezegun h11 humanize isodate
    itsdangerous jmespath lark markdown2 marshmallow mistune narwhals parso peewee platformdirs plotly ply prettytable pygal pyparsing
    qrcode rfc3986 segno simplejson starlette svgwrite tenacity termcolor tinydb toml tomli tomlkit typer tzlocal uvicorn wcwidth
    websockets werkzeug xlrd""".split()
)

#: What to use where there is neither an index nor wheels, for some of them.
PURE_INSTEAD = {
    "altair": "write a chart as SVG or HTML: they are text",
    "dask": "use csv with sqlite3, collections and statistics",
    "plotly": "write a chart as SVG or HTML: they are text",
    "pygal": "write a chart as SVG: it is text",
    "uvicorn": "serve by wsgiref.simple_server or http.server, or call the application by httpx.ASGITransport",
}

_SOCKETS = "it connects to a server, and sockets of wisp connect the processes of this session only; HTTP goes by urllib, requests and httpx"
_SERVER = "wsgiref.simple_server and http.server serve at localhost; or call the application by httpx.WSGITransport or ASGITransport"
_API = "send the requests of the API by httpx or requests, to an address that the policy allows"
_BROWSER = "there is no browser here; fetch with requests and parse with html.parser"
_MODEL = "there is no library for tensors here; compute in plain Python, or with numpy under the policy `data`"
_IMAGES = "there is no library for images here; write SVG, or PPM and PNG with zlib and struct"
_LXML = "under the policy `data`, which has lxml, pip can install it"
_DATA = "; or use the policy `data`, whose python3 has it"

#: Packages with native code (or that depend on something missing here), and what to use instead.
NATIVE = {
    "numpy": "use math, statistics, array, fractions or lists",
    "pandas": "use csv with sqlite3, collections and statistics, or the tools sqlite3, awk and jq",
    "polars": "use csv with sqlite3, or the tools sqlite3, awk and jq",
    "pyarrow": "use csv, json or sqlite3 for tables",
    "scipy": "use math, statistics and fractions",
    "matplotlib": "write a chart as SVG: it is text",
    "seaborn": "write a chart as SVG: it is text",
    "PIL": _IMAGES,
    "cv2": f"{_IMAGES}; or use PIL and numpy under the policy `data`",
    "sklearn": "use statistics (linear_regression, correlation, NormalDist) and random",
    "statsmodels": "use statistics (linear_regression, correlation, NormalDist)",
    "bokeh": "write a chart as SVG or HTML: they are text",
    "torch": _MODEL,
    "tensorflow": _MODEL,
    "jax": _MODEL,
    "transformers": _MODEL,
    "numba": "use plain Python, functools.cache and the C modules of the standard library",
    "regex": "use re",
    "lxml": "use xml.etree.ElementTree for XML, and bs4 with html.parser or html5lib for HTML",
    "docx": f"{_LXML}; here, a .docx is a zip archive: zipfile and xml.etree.ElementTree read and write word/document.xml",
    "pptx": f"{_LXML}; here, a .pptx is a zip archive: zipfile and xml.etree.ElementTree read and write ppt/slides",
    "cryptography": "use hashlib, hmac and secrets",
    "Crypto": "use hashlib, hmac and secrets",
    "bcrypt": "use hashlib.pbkdf2_hmac",
    "nacl": "use hashlib, hmac and secrets",
    "pydantic": "its core is written in Rust; use dataclasses or attrs, and jsonschema for validation",
    "pydantic_core": "use dataclasses or attrs, and jsonschema for validation",
    "fastapi": f"pydantic, which it needs, has native code; {_SERVER}",
    "openai": f"pydantic and jiter, which it needs, have native code; {_API}",
    "anthropic": f"pydantic and jiter, which it needs, have native code; {_API}",
    "reportlab": f"pillow, which it needs, has native code; write HTML or SVG{_DATA}",
    "jiter": "use json",
    "orjson": "use json",
    "ujson": "use json",
    "msgpack": "use json, pickle or struct",
    "greenlet": "use asyncio or generators",
    "gevent": "use asyncio",
    "zmq": _SOCKETS,
    "pymongo": _SOCKETS,
    "psycopg2": f"{_SOCKETS}; sqlite3 is here",
    "psycopg": f"{_SOCKETS}; sqlite3 is here",
    "MySQLdb": f"{_SOCKETS}; sqlite3 is here",
    "paramiko": _SOCKETS,
    "aiohttp": "use httpx.AsyncClient, which is here",
    "playwright": _BROWSER,
    "psutil": "use wisp.processes(), wisp.usage() and os.times()",
    "tiktoken": "it has native code and no substitute here",
    "spacy": "use re and str methods",
    "nltk": "use re, collections.Counter and difflib",
    "duckdb": "use sqlite3",
}

#: Packages of pure Python that pip can install, but whose purpose cannot be met here, and what to use instead.
IN_VAIN = {
    "gunicorn": f"its workers are forks of one process, which there are not here; {_SERVER}",
    "httpcore": "httpx is here and works without it",
    "pymysql": f"{_SOCKETS}; sqlite3 is here",
    "redis": _SOCKETS,
    "selenium": _BROWSER,
}

#: Those with native code that the data image has.
OF_DATA = ("lxml", "matplotlib", "numpy", "pandas", "PIL", "regex", "scipy", "seaborn", "sklearn", "statsmodels")

#: Packages with native code that this image has, so that it can have no other version of them.
here = ()

#: Other programs that install packages, by the name after `-m`.
_INSTALLERS = {
    "pipx": "pip is here: `pip install NAME`, in an environment of its own after `python3 -m venv DIR`",
    "uv": "pip is here: `pip install NAME`; `uv pip` runs it too",
    "virtualenv": "use `python3 -m venv DIR`",
}

#: Packages with native code whose name is not the module's.
_PACKAGES = {
    "mysqlclient": "MySQLdb", "opencv-python": "cv2", "opencv-python-headless": "cv2", "pillow": "PIL", "psycopg2-binary": "psycopg2",
    "pycryptodome": "Crypto", "pydantic-core": "pydantic_core", "pymupdf": "fitz", "pynacl": "nacl", "python-docx": "docx",
    "python-pptx": "pptx", "pyzmq": "zmq", "scikit-image": "skimage", "scikit-learn": "sklearn",
}

#: The shell's table of programs that are not here (../layer.py).
_PROGRAMS = "/usr/lib/wisp/instead"

_NO_FTS5 = "this SQLite is built without full-text search; use LIKE or GLOB, or a table of words, or the tool rg on files"


def about(name):
    """The sentence about a module that was not found, or None if there is nothing to say."""
    top = name.partition(".")[0]
    if top in _INSTALLERS:
        return _INSTALLERS[top]
    if top in NATIVE:
        return f"{top} is not here, and native code cannot be added to this Python: {_instead(top)}"
    if top in IN_VAIN:
        return f"{top} is not here, and would be of no use: {IN_VAIN[top]}"
    if top in WHEELS or top in _PURE:
        instead = f"; or {PURE_INSTEAD[top]}" if top in PURE_INSTEAD else ""
        return f"{top} is pure Python but not here: `pip install {WHEELS.get(top, top)}` {_BRING}{instead}"
    return None


def _instead(module):
    """What to use instead of a package with native code."""
    return NATIVE[module] + (_DATA if module in OF_DATA else "")


def native_packages():
    """The packages, by the names that pip knows, whose native code cannot be installed."""
    modules = {*NATIVE, *here}
    return sorted(modules.difference(_PACKAGES.values()).union(name for name, module in _PACKAGES.items() if module in modules))


def about_package(name):
    """The sentence about a package that pip could not install, or None if there is nothing to say."""
    known = name.lower().replace("_", "-")
    module = _PACKAGES.get(known, known)
    if module in here:
        return f"{name} is here as {importlib.metadata.version(known)}, and in no other version: native code cannot be added to this Python"
    if module not in NATIVE:
        return None
    return f"{name} cannot be installed, for native code cannot be added to this Python: {_instead(module)}"


def about_program(name):
    """What to use instead of the program `name`, in the shell's words, or None if there is nothing to say."""
    try:
        with open(_PROGRAMS, encoding="utf-8") as table:
            rows = [line.rstrip("\n").split("\t") for line in table]
    except OSError:
        return None  # no room for another open file
    return next((f"(here: {text})" for names, text in rows if name in names.split()), None)


def add_note(exception):
    """Print advice below an exception that ends a program."""
    text = None
    if isinstance(exception, FileNotFoundError) and isinstance(exception.filename, str) and "/" not in exception.filename:
        note = about_program(exception.filename) if _started_program(exception) else None
        if note is not None and note not in getattr(exception, "__notes__", ()):
            exception.add_note(note)
    elif isinstance(exception, ModuleNotFoundError) and isinstance(exception.name, str):
        if exception.msg == f"No module named {exception.name!r}":  # other texts already give a reason
            text = about(exception.name)
    elif isinstance(exception, sqlite3.OperationalError) and "no such module: fts5" in str(exception):
        text = _NO_FTS5
    if text is not None:
        note = f"wisp: {text}"
        if note not in getattr(exception, "__notes__", ()):
            exception.add_note(note)


def _started_program(exception):
    """Whether the exception came from starting a program, and not from opening a file of that name."""
    trace = exception.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_name in ("execute_child", "posix_spawnp"):
            return True
        trace = trace.tb_next
    return False


def refusal(name):
    """Why `python3 -m NAME` cannot work here, or None if it can or if the program has a module of this name."""
    top = name.partition(".")[0]
    text = about(top)
    if text is None:
        return None
    try:
        found = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None  # it gives the reason itself
    if found is None:
        return f"{sys.executable}: No module named {name}\nwisp: {text}"
    if top in _INSTALLERS and (found.origin or "").startswith(paths.LIBRARY + "/" + top):
        return f"{sys.executable}: {name} cannot work here\nwisp: {text}"
    return None
