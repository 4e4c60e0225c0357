"""Refuses what cannot work in a WebAssembly sandbox, with the exception that a Python programmer expects and the reason."""

import os
import signal
import sys

_NO_FORK = "a WebAssembly program cannot fork; use multiprocessing, or start a program with subprocess, `[sys.executable, ...]` for another Python"

_NOT_BUILT = "this CPython for WebAssembly is built without it"

#: Modules that do not exist here, and why.
MISSING_MODULES = {
    "_ssl": f"{_NOT_BUILT}; TLS is the host's business in wisp",
    "_hashlib": f"{_NOT_BUILT}; hashlib works without OpenSSL",
    "_curses": f"{_NOT_BUILT}; control sequences of a terminal can be printed",
    "_curses_panel": f"{_NOT_BUILT}; control sequences of a terminal can be printed",
    "_dbm": f"{_NOT_BUILT}; use sqlite3 or dbm.dumb",
    "_gdbm": f"{_NOT_BUILT}; use sqlite3 or dbm.dumb",
    "_interpqueues": "wisp runs one interpreter per process; use subprocess",
    "_interpreters": "wisp runs one interpreter per process; use subprocess",
    "_interpchannels": "wisp runs one interpreter per process; use subprocess",
    "_posixsubprocess": "wisp starts processes through its host; use subprocess",
    "_remote_debugging": "a process of wisp cannot look into another",
    "_tkinter": "wisp has no display",
    "nis": _NOT_BUILT,
    "tkinter": "wisp has no display",
}

_OS = {
    "fork": _NO_FORK,
    "forkpty": _NO_FORK,
    "register_at_fork": _NO_FORK,
    "setuid": "the sandbox has one user",
    "setgid": "the sandbox has one user",
    "getsid": "the sandbox is one session; os.getpgid tells the process group",
    "wait3": "wisp counts processor time, not resources; use os.waitpid and os.times",
    "wait4": "wisp counts processor time, not resources; use os.waitpid and os.times",
    "waitid": "use os.waitpid",
    "pidfd_open": "use subprocess, or os.waitpid with os.WNOHANG",
    "chroot": "the sandbox is the only root there is",
    "fchmod": "the sandbox changes modes by path; use os.chmod(path, mode)",
    "fchown": "the sandbox has one user",
    "nice": "wisp has no priorities",
    "sendfile": "use shutil.copyfileobj",
    "memfd_create": "use tempfile.TemporaryFile",
    "fchdir": "the sandbox changes directories by path; use os.chdir(path)",
}

_SIGNAL = {
    "sigwaitinfo": "wisp does not tell who sent a signal; use signal.sigwait",
    "sigtimedwait": "wisp does not tell who sent a signal; use signal.sigwait, and signal.alarm for an end",
    "SIGRTMIN": "wisp has no real-time signals",
    "SIGRTMAX": "wisp has no real-time signals",
}


class _MissingModules:
    """A finder that names the reason, but only to an import: `importlib.util.find_spec` still returns None."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Refuse the modules that do not exist here."""
        reason = MISSING_MODULES.get(name)
        if reason is not None and sys._getframe(2).f_code.co_name == "_find_and_load_unlocked":
            raise ModuleNotFoundError(f"No module named {name!r}: {reason}", name=name)


def _explain(module, reasons):
    """Give `module` a `__getattr__` that gives the reason why an attribute is missing."""

    def __getattr__(name):
        reason = reasons.get(name)
        text = f"module {module.__name__!r} has no attribute {name!r}"
        raise AttributeError(text if reason is None else f"{text}: {reason}", name=name, obj=module)

    module.__getattr__ = __getattr__


def install():
    """Install the refusals."""
    sys.meta_path.append(_MissingModules)
    _explain(os, _OS)
    _explain(signal, _SIGNAL)
