"""What cannot work in a sandbox of WebAssembly: raised as a Python programmer expects it, with the reason."""

import errno
import sys

_NO_THREADS = "can't start new thread: wisp runs one thread per process; use subprocess for work side by side"

_NOT_BUILT = "this CPython for WebAssembly is built without it"

#: Modules that do not exist here, and why.
MISSING_MODULES = {
    "_bz2": f"{_NOT_BUILT}; use gzip or zlib",
    "_lzma": f"{_NOT_BUILT}; use gzip or zlib",
    "_zstd": f"{_NOT_BUILT}; use gzip or zlib",
    "_ssl": f"{_NOT_BUILT}; TLS is the host's business in wisp",
    "_hashlib": f"{_NOT_BUILT}; hashlib works without OpenSSL",
    "_ctypes": "a WebAssembly program cannot load native libraries",
    "_curses": "wisp has no terminal control",
    "_curses_panel": "wisp has no terminal control",
    "_dbm": f"{_NOT_BUILT}; use sqlite3 or dbm.dumb",
    "_gdbm": f"{_NOT_BUILT}; use sqlite3 or dbm.dumb",
    "_interpqueues": "wisp runs one interpreter per process; use subprocess",
    "_interpreters": "wisp runs one interpreter per process; use subprocess",
    "_interpchannels": "wisp runs one interpreter per process; use subprocess",
    "_multiprocessing": "wisp runs one thread per process and cannot fork; use subprocess",
    "_posixshmem": "processes of wisp share files, not memory",
    "_posixsubprocess": "wisp starts processes through its host; use subprocess",
    "_remote_debugging": "a process of wisp cannot look into another",
    "_tkinter": "wisp has no display",
    "ensurepip": "nothing is installed inside a session; packages come with the component",
    "pip": "nothing is installed inside a session; packages come with the component",
    "fcntl": "WASI has no file locks and no descriptor flags",
    "nis": _NOT_BUILT,
    "readline": "wisp has no line editing",
    "resource": "limits are set by the session's policy; see wisp.limits()",
    "syslog": "wisp has no system log; write to standard error",
    "termios": "wisp has no terminal control",
    "tkinter": "wisp has no display",
}

_OS = {
    "fork": "a wisp process cannot fork; use subprocess",
    "forkpty": "a wisp process cannot fork; use subprocess",
    "posix_spawn": "use subprocess",
    "posix_spawnp": "use subprocess",
    "openpty": "wisp has no pseudo-terminals",
    "setuid": "the sandbox has one user",
    "setgid": "the sandbox has one user",
    "setsid": "wisp has no sessions and process groups",
    "setpgid": "wisp has no sessions and process groups",
    "getpgid": "wisp has no sessions and process groups",
    "killpg": "wisp has no process groups; kill each process",
    "mkfifo": "the sandbox's filesystem has no named pipes; use os.pipe",
    "mknod": "the sandbox's filesystem has no devices to make",
    "chroot": "the sandbox is the only root there is",
    "fchmod": "the sandbox changes modes by path; use os.chmod(path, mode)",
    "fchown": "the sandbox has one user",
    "nice": "wisp has no priorities",
    "sendfile": "use shutil.copyfileobj",
    "memfd_create": "use tempfile.TemporaryFile",
    "get_terminal_size": "wisp does not know the size of a terminal; use shutil.get_terminal_size",
}

_SIGNAL = {
    "alarm": "wisp delivers no signals to a running program; use `limits` of the policy or subprocess timeouts",
    "setitimer": "wisp delivers no signals to a running program; use `limits` of the policy or subprocess timeouts",
    "pause": "wisp delivers no signals to a running program",
    "sigwait": "wisp delivers no signals to a running program",
    "pthread_kill": "wisp runs one thread per process",
    "pthread_sigmask": "wisp delivers no signals to a running program",
}


class _MissingModules:
    """A finder that names the reason, but only to an import: `importlib.util.find_spec` still answers None."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Refuse the modules that do not exist here."""
        reason = MISSING_MODULES.get(name)
        if reason is not None and sys._getframe(2).f_code.co_name == "_find_and_load_unlocked":
            raise ModuleNotFoundError(f"No module named {name!r}: {reason}", name=name)


def _no_threads(*arguments, **options):
    raise RuntimeError(_NO_THREADS)


def _explain(module, reasons):
    """Give `module` a `__getattr__` that says why an attribute is missing."""

    def __getattr__(name):
        reason = reasons.get(name)
        text = f"module {module.__name__!r} has no attribute {name!r}"
        raise AttributeError(text if reason is None else f"{text}: {reason}", name=name, obj=module)

    module.__getattr__ = __getattr__


def _refuse_sockets():
    """Sockets that cannot be made, and names that cannot be looked up, say what there is instead."""
    import socket

    reason = "Permission denied: wisp has no sockets; HTTP goes by http.client, urllib, requests and httpx ([network] of the policy)"

    def refusing(function):
        def refused(*arguments, **options):
            try:
                return function(*arguments, **options)
            except PermissionError:
                raise PermissionError(errno.EACCES, reason) from None

        refused.__name__, refused.__doc__ = function.__name__, function.__doc__
        return refused

    socket.getaddrinfo = refusing(socket.getaddrinfo)

    standard = socket.socket.__init__

    def __init__(self, *arguments, **options):
        try:
            standard(self, *arguments, **options)
        except OSError as error:
            number = error.errno
        else:
            return
        if number in (errno.EACCES, errno.EPERM, errno.ENOTSUP, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT):
            raise PermissionError(errno.EACCES, reason)
        import os

        raise OSError(number, os.strerror(number))

    socket.socket.__init__ = __init__


def install():
    """Put the reasons in place."""
    import _thread
    import os
    import signal
    import threading

    sys.meta_path.append(_MissingModules)
    for name in ("start_new_thread", "start_new", "start_joinable_thread"):
        setattr(_thread, name, _no_threads)
    threading._start_new_thread = _no_threads
    threading._start_joinable_thread = _no_threads
    _explain(os, _OS)
    _explain(signal, _SIGNAL)
    _refuse_sockets()
