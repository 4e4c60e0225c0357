"""Advice about packages and programs that are missing: a note on the exception that ends a program, and the message of `python3 -m`.

The exception is CPython's own, with its text unchanged; the note is added only if nothing caught it.
"""

import importlib.util
import sqlite3
import sys

from . import paths

#: How to get a package of pure Python.
_BRING = "`python3 -m zipfile -e NAME.whl ~/.local/lib/python3.14/site-packages`, or a mount of it there in the policy"

#: Packages of pure Python whose wheel is not named after the module, or that depend on other wheels.
_WHEELS = {
    "attr": "attrs", "bs4": "beautifulsoup4 and soupsieve", "dateutil": "python-dateutil and six", "docutils": "docutils",
    "dotenv": "python-dotenv", "flask": "flask, werkzeug, jinja2, markupsafe, click, itsdangerous and blinker",
    "jinja2": "jinja2 and markupsafe", "openpyxl": "openpyxl and et_xmlfile", "pytest": "pytest, pluggy, iniconfig, packaging and pygments",
    "rich": "rich, markdown-it-py, mdurl and pygments", "yaml": "PyYAML", "werkzeug": "werkzeug and markupsafe",
}

#: Packages of pure Python whose wheel has the name of the module.
_PURE = frozenset(
    """arrow attrs cachetools click colorama deepdiff docopt faker freezegun html5lib humanize hypothesis iniconfig
    isodate itsdangerous jmespath markdown marshmallow mistune more_itertools packaging parso pluggy prettytable pygments
    pyparsing pypdf pytz simplejson six sortedcontainers soupsieve svgwrite tabulate tenacity termcolor tinydb toml tomli
    tomlkit toolz tqdm tzlocal wcwidth xmltodict""".split()
)

_SOCKETS = "it needs sockets, which wisp does not have; HTTP goes by urllib, requests and httpx"
_SERVER = "it listens on a socket, which wisp does not have; call the application directly, or by httpx.WSGITransport or ASGITransport"
_BROWSER = "there is no browser here; fetch with requests and parse with html.parser"
_MODEL = "there is no library for tensors here; compute in plain Python"

#: Packages with native code (or that depend on something missing here), and what to use instead.
_NATIVE = {
    "numpy": "use math, statistics, array, fractions or lists",
    "pandas": "use csv with sqlite3, collections and statistics, or the tools sqlite3, awk and jq",
    "polars": "use csv with sqlite3, or the tools sqlite3, awk and jq",
    "pyarrow": "use csv, json or sqlite3 for tables",
    "scipy": "use math, statistics and fractions",
    "sympy": "it needs ctypes; use fractions, decimal and math",
    "networkx": "it needs bz2; use dicts, heapq and graphlib",
    "matplotlib": "write a chart as SVG: it is text",
    "seaborn": "write a chart as SVG: it is text",
    "plotly": "write a chart as SVG or HTML: they are text",
    "PIL": "there is no library for images here; write SVG, or PPM and PNG with zlib and struct",
    "cv2": "there is no library for images here; write SVG, or PPM and PNG with zlib and struct",
    "sklearn": "use statistics (linear_regression, correlation, NormalDist) and random",
    "statsmodels": "use statistics (linear_regression, correlation, NormalDist)",
    "torch": _MODEL,
    "tensorflow": _MODEL,
    "jax": _MODEL,
    "transformers": _MODEL,
    "numba": "use plain Python, functools.cache and the C modules of the standard library",
    "regex": "use re",
    "lxml": "use xml.etree.ElementTree or html.parser",
    "cryptography": "use hashlib, hmac and secrets",
    "Crypto": "use hashlib, hmac and secrets",
    "bcrypt": "use hashlib.pbkdf2_hmac",
    "nacl": "use hashlib, hmac and secrets",
    "pydantic": "use dataclasses and typing",
    "fastapi": f"pydantic, which it needs, has native code; {_SERVER}",
    "jsonschema": "rpds, which it needs, has native code; check with isinstance and match statements",
    "orjson": "use json",
    "ujson": "use json",
    "msgpack": "use json, pickle or struct",
    "greenlet": "use asyncio or generators",
    "gevent": "use asyncio",
    "zmq": _SOCKETS,
    "redis": _SOCKETS,
    "pymongo": _SOCKETS,
    "psycopg2": f"{_SOCKETS}; sqlite3 is here",
    "psycopg": f"{_SOCKETS}; sqlite3 is here",
    "pymysql": f"{_SOCKETS}; sqlite3 is here",
    "MySQLdb": f"{_SOCKETS}; sqlite3 is here",
    "paramiko": _SOCKETS,
    "websockets": _SOCKETS,
    "aiohttp": "use httpx.AsyncClient, which is here",
    "httpcore": "httpx is here and works without it",
    "uvicorn": _SERVER,
    "gunicorn": _SERVER,
    "selenium": _BROWSER,
    "playwright": _BROWSER,
    "psutil": "use wisp.processes(), wisp.usage() and os.times()",
    "tiktoken": "it has native code and no substitute here",
    "spacy": "use re and str methods",
    "nltk": "use re, collections.Counter and difflib",
    "duckdb": "use sqlite3",
}

#: Programs that install packages, by the name after `-m`.
_NO_INSTALLER = f"nothing is downloaded into a session; a package of pure Python works when its wheel is unpacked: {_BRING}"
_INSTALLERS = {
    "pip": _NO_INSTALLER,
    "ensurepip": _NO_INSTALLER,
    "pipx": _NO_INSTALLER,
    "uv": _NO_INSTALLER,
    "venv": f"a session is one environment, and it goes when the session ends; {_NO_INSTALLER}",
    "virtualenv": f"a session is one environment, and it goes when the session ends; {_NO_INSTALLER}",
}

#: The shell's table of programs that are not here (`build`).
_PROGRAMS = "/usr/lib/wisp/instead"

_NO_FTS5 = "this SQLite is built without full-text search; use LIKE or GLOB, or a table of words, or the tool rg on files"


def about(name):
    """The sentence about a module that was not found, or None if there is nothing to say."""
    top = name.partition(".")[0]
    if top in _INSTALLERS:
        return _INSTALLERS[top]
    if top in _NATIVE:
        return f"{top} is not here, and native code cannot be added to this Python: {_NATIVE[top]}"
    if top in _WHEELS or top in _PURE:
        tool = "; the tool yq reads and writes YAML" if top == "yaml" else ""
        return f"{top} is pure Python but not here; its wheel works when it is unpacked ({_WHEELS.get(top, top)}): {_BRING}{tool}"
    return None


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
