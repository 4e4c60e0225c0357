"""Makes the libraries use the host's HTTP: `http.client` and `urllib` now, `urllib3` and `httpx` when they are imported.
Environment variables for proxies are ignored: the host connects."""

import copy
import errno
import http.client
import importlib
import importlib.machinery
import socket
import sys
import urllib.request
import warnings

from . import modules, packages, threads
from .link import _PROXY, Link


def _connect(self):
    """`HTTPConnection.connect`: nothing happens before the first request."""
    if self._tunnel_host:
        raise OSError(errno.EOPNOTSUPP, f"refused by wisp: {_PROXY}")
    sys.audit("http.client.connect", self, self.host, self.port)
    self.sock = Link(self.host, self.port, self.timeout)


def _connect_securely(self):
    """`HTTPSConnection.connect`."""
    http.client.HTTPConnection.connect(self)
    self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host)


def _no_proxies():
    """`urllib.request.getproxies`."""
    return {}


def install():
    """Replace what would open a socket."""
    http.client.HTTPConnection.connect = _connect
    http.client.HTTPSConnection.connect = _connect_securely
    urllib.request.getproxies = urllib.request.getproxies_environment = _no_proxies
    sys.meta_path.insert(0, _AfterImport)


# --- libraries that are not in the snapshot


def _urllib3(module, note=None):
    """Make the connections of `urllib3.connection` links, which raise the exceptions that its callers expect. `note` is called with each denial."""
    exceptions = importlib.import_module(module.__package__ + ".exceptions")  # urllib3's own, or those of the urllib3 within pip

    def failing(method):
        def wrapped(self, *arguments, **options):
            try:
                return method(self, *arguments, **options)
            except socket.gaierror as error:
                raise exceptions.NameResolutionError(self.host, self, error) from error
            except (PermissionError, ConnectionRefusedError) as error:
                if note is not None:
                    note(error)
                text = f"Failed to establish a new connection: {error}"
                raise exceptions.NewConnectionError(self, text) from error
            except TimeoutError as error:
                if error.errno != errno.ETIMEDOUT:
                    raise
                text = f"Connection to {self.host} timed out. (connect timeout={self.timeout})"
                raise exceptions.ConnectTimeoutError(self, text) from error

        wrapped.__name__, wrapped.__doc__ = method.__name__, method.__doc__
        return wrapped

    def _new_conn(self):
        if self.proxy or self._tunnel_host:
            raise OSError(errno.EOPNOTSUPP, f"refused by wisp: {_PROXY}")
        sys.audit("http.client.connect", self, self.host, self.port)
        return Link(self._dns_host, self.port, self.timeout)

    def connect(self):
        self.sock = self._new_conn().secure()
        self.is_verified = True  # the host always verifies

    # A denial stays one, however often it is asked for: it is no bad line.
    retry = importlib.import_module(module.__package__ + ".util.retry").Retry
    usual = retry.increment

    def increment(self, method=None, url=None, response=None, error=None, _pool=None, _stacktrace=None):
        denied = isinstance(getattr(error, "__cause__", None), PermissionError)
        retries = self.new(total=0) if denied and self.total is not False else self
        return usual(retries, method, url, response, error, _pool, _stacktrace)

    retry.increment = increment
    # It warns of every TLS but OpenSSL's; here TLS is the host's.
    warnings.filterwarnings("ignore", category=exceptions.NotOpenSSLWarning)
    plain, secure = module.HTTPConnection, module.HTTPSConnection
    plain._new_conn = _new_conn
    plain.is_connected = property(lambda self: self.sock is not None)
    for name in ("request", "getresponse"):
        setattr(plain, name, failing(vars(plain)[name]))
    secure.connect = connect


def _pip(module):
    """The urllib3 within pip."""
    _urllib3(module, packages.note)


def _socketserver(module):
    """`socketserver`: where a process has one thread, a server with a thread for each request serves them one after the other."""
    if not threads.available:
        module.ThreadingMixIn.process_request = module.ThreadingMixIn.process_request_thread


def _httpx(module):
    """`httpx._transports.default`: uses our transports."""
    modules.load_later("web_httpx").replace(module)


def _tqdm(module):
    """`tqdm.std`: no thread watches the bars. It would end with each cell of an interpreter, and be named."""
    module.tqdm.monitor_interval = 0


def _multiprocessing(module):
    """A part of `multiprocessing`."""
    modules.load_later("multiprocess").adapt(module)


#: The modules of `multiprocessing` and its pools that need what is the system's elsewhere, or threads.
_PARTS = """
concurrent.futures.process multiprocessing.context multiprocessing.heap multiprocessing.managers multiprocessing.pool
multiprocessing.popen_spawn_posix multiprocessing.queues multiprocessing.reduction multiprocessing.resource_tracker multiprocessing.shared_memory
multiprocessing.sharedctypes multiprocessing.util
""".split()


class _AfterImport:
    """Calls one of the functions above once its module is imported."""

    hooks = {
        "urllib3.connection": _urllib3, "pip._vendor.urllib3.connection": _pip, "httpx._transports.default": _httpx,
        "socketserver": _socketserver, "tqdm.std": _tqdm, **dict.fromkeys(_PARTS, _multiprocessing),
    }

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Find a module that has a hook in the usual way, and run the hook after its loader."""
        hook = cls.hooks.get(name)
        if hook is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module
        spec.loader = copy.copy(spec.loader)  # that of an archive is the loader of all its modules

        def exec_module(module):
            execute(module)
            hook(module)

        spec.loader.exec_module = exec_module
        return spec

