"""`ssl` as far as HTTP clients need it: in wisp the host does TLS, and always verifies certificates and host names.

A context can be made and its settings changed, as libraries do, but no setting weakens the host's checks, and only the
connections of `http.client` and of libraries built on it can be wrapped. Everything else is refused with the reason.
"""

import base64
import collections
import enum
import os
import socket as _socket
import time

OPENSSL_VERSION = "wisp's host (TLS is not in the sandbox)"
OPENSSL_VERSION_INFO = (3, 0, 0, 0, 0)
OPENSSL_VERSION_NUMBER = 0x30000000
HAS_SNI = HAS_ALPN = HAS_ECDH = HAS_TLSv1_2 = HAS_TLSv1_3 = True
HAS_NPN = HAS_SSLv2 = HAS_SSLv3 = HAS_TLSv1 = HAS_TLSv1_1 = HAS_PSK = HAS_PHA = False
HAS_NEVER_CHECK_COMMON_NAME = True
CHANNEL_BINDING_TYPES = []
SOCK_STREAM, SOL_SOCKET, SO_TYPE = _socket.SOCK_STREAM, _socket.SOL_SOCKET, _socket.SO_TYPE

_REASON = "TLS is the host's in wisp: use http.client, urllib, requests or httpx with an https:// URL"

_SSLMethod = enum.IntEnum("_SSLMethod", {
    "PROTOCOL_TLS": 2, "PROTOCOL_SSLv23": 2, "PROTOCOL_TLSv1": 3, "PROTOCOL_TLSv1_1": 4, "PROTOCOL_TLSv1_2": 5,
    "PROTOCOL_TLS_CLIENT": 16, "PROTOCOL_TLS_SERVER": 17,
})
VerifyMode = enum.IntEnum("VerifyMode", {"CERT_NONE": 0, "CERT_OPTIONAL": 1, "CERT_REQUIRED": 2})
VerifyFlags = enum.IntFlag("VerifyFlags", {
    "VERIFY_DEFAULT": 0, "VERIFY_CRL_CHECK_LEAF": 4, "VERIFY_CRL_CHECK_CHAIN": 12, "VERIFY_X509_STRICT": 32,
    "VERIFY_ALLOW_PROXY_CERTS": 64, "VERIFY_X509_TRUSTED_FIRST": 32768, "VERIFY_X509_PARTIAL_CHAIN": 524288,
})
Options = enum.IntFlag("Options", {
    "OP_ALL": 0x80000050, "OP_NO_SSLv2": 0, "OP_NO_SSLv3": 1 << 25, "OP_NO_TLSv1": 1 << 26, "OP_NO_TLSv1_1": 1 << 28,
    "OP_NO_TLSv1_2": 1 << 27, "OP_NO_TLSv1_3": 1 << 29, "OP_NO_COMPRESSION": 1 << 17, "OP_NO_TICKET": 1 << 14,
    "OP_CIPHER_SERVER_PREFERENCE": 1 << 22, "OP_SINGLE_DH_USE": 0, "OP_SINGLE_ECDH_USE": 0,
    "OP_NO_RENEGOTIATION": 1 << 30, "OP_IGNORE_UNEXPECTED_EOF": 1 << 7, "OP_ENABLE_MIDDLEBOX_COMPAT": 1 << 20,
    "OP_LEGACY_SERVER_CONNECT": 4, "OP_ENABLE_KTLS": 8,
})
for _names in (_SSLMethod, VerifyMode, VerifyFlags, Options):
    globals().update(_names.__members__)
TLSVersion = enum.IntEnum("TLSVersion", {
    "MINIMUM_SUPPORTED": -2, "SSLv3": 768, "TLSv1": 769, "TLSv1_1": 770, "TLSv1_2": 771, "TLSv1_3": 772,
    "MAXIMUM_SUPPORTED": -1,
})
SSLErrorNumber = enum.IntEnum("SSLErrorNumber", {
    "SSL_ERROR_SSL": 1, "SSL_ERROR_WANT_READ": 2, "SSL_ERROR_WANT_WRITE": 3, "SSL_ERROR_WANT_X509_LOOKUP": 4,
    "SSL_ERROR_SYSCALL": 5, "SSL_ERROR_ZERO_RETURN": 6, "SSL_ERROR_WANT_CONNECT": 7, "SSL_ERROR_EOF": 8,
    "SSL_ERROR_INVALID_ERROR_CODE": 10,
})
globals().update(SSLErrorNumber.__members__)

_ASN1Object = collections.namedtuple("_ASN1Object", "nid shortname longname oid")
DefaultVerifyPaths = collections.namedtuple(
    "DefaultVerifyPaths", "cafile capath openssl_cafile_env openssl_cafile openssl_capath_env openssl_capath"
)


class Purpose(_ASN1Object, enum.Enum):
    """The purpose of a context."""

    SERVER_AUTH = (129, "serverAuth", "TLS Web Server Authentication", "1.3.6.1.5.5.7.3.1")
    CLIENT_AUTH = (130, "clientAuth", "TLS Web Client Authentication", "1.3.6.1.5.5.7.3.2")


class SSLError(OSError):
    """An error of TLS."""

    library = reason = None

    def __str__(self):
        return str(self.strerror if self.strerror is not None else self.args)


class SSLZeroReturnError(SSLError):
    """The connection was closed in an orderly way."""


class SSLWantReadError(SSLError):
    """More must be read first."""


class SSLWantWriteError(SSLError):
    """More must be written first."""


class SSLSyscallError(SSLError):
    """A call to the system failed."""


class SSLEOFError(SSLError):
    """The connection ended abruptly."""


class SSLCertVerificationError(SSLError, ValueError):
    """The certificate is not trusted, or belongs to another host."""

    verify_code = 0
    verify_message = ""


CertificateError = SSLCertVerificationError
socket_error = OSError


class SSLContext:
    """Settings that libraries make; the host has its own."""

    sslsocket_class = sslobject_class = None

    def __init__(self, protocol=None):
        self.protocol = _SSLMethod(2 if protocol is None else protocol)
        self._client = protocol == 16
        self.verify_mode = VerifyMode.CERT_REQUIRED if self._client else VerifyMode.CERT_NONE
        self.check_hostname = self._client
        self.options = Options.OP_ALL | Options.OP_NO_COMPRESSION
        self.verify_flags = VerifyFlags.VERIFY_X509_TRUSTED_FIRST
        self.minimum_version, self.maximum_version = TLSVersion.TLSv1_2, TLSVersion.MAXIMUM_SUPPORTED
        self.hostname_checks_common_name = False
        self.post_handshake_auth = False
        self.keylog_filename = self.sni_callback = None
        self.security_level, self.num_tickets = 2, 2

    def _set(self, *arguments, **options):
        """Accepted and ignored: the host has its own."""

    set_ciphers = set_alpn_protocols = set_npn_protocols = set_ecdh_curve = _set
    load_default_certs = set_default_verify_paths = _set

    def load_verify_locations(self, cafile=None, capath=None, cadata=None):
        """Check that the file exists; the roots are those of the host and of the policy (`ca` in `[network]`)."""
        if cafile is None and capath is None and cadata is None:
            raise TypeError("cafile, capath and cadata cannot be all omitted")
        for path in (cafile, capath):
            if path is not None:
                os.stat(path)

    def load_cert_chain(self, certfile, keyfile=None, password=None):
        """Client certificates are refused."""
        raise SSLError(1, "TLS is the host's in wisp; it has no client certificates")

    def get_ciphers(self):
        """Unknown here: it belongs to the host."""
        return []

    def get_ca_certs(self, binary_form=False):
        """Unknown here: it belongs to the host."""
        return []

    def cert_store_stats(self):
        """Unknown here: it belongs to the host."""
        return {"x509": 0, "crl": 0, "x509_ca": 0}

    def session_stats(self):
        """There are no sessions here."""
        return {}

    def wrap_socket(self, sock, server_side=False, do_handshake_on_connect=True, suppress_ragged_eofs=True,
                    server_hostname=None, session=None):
        """Have the host speak TLS on an HTTP connection."""
        secure = getattr(sock, "secure", None)
        if secure is None or server_side:
            raise SSLError(1, _REASON)
        return secure()

    def wrap_bio(self, *arguments, **options):
        """Refused."""
        raise SSLError(1, _REASON)


class SSLSocket(_socket.socket):
    """There are none."""

    def __init__(self, *arguments, **options):
        raise TypeError(f"SSLSocket does not have a public constructor. {_REASON}")


class SSLObject:
    """There are none."""

    def __init__(self, *arguments, **options):
        raise TypeError(f"SSLObject does not have a public constructor. {_REASON}")


class MemoryBIO:
    """There are none."""

    def __init__(self):
        raise SSLError(1, _REASON)


class SSLSession:
    """There are none."""


AlertDescription = enum.IntEnum("AlertDescription", {"ALERT_DESCRIPTION_CLOSE_NOTIFY": 0, "ALERT_DESCRIPTION_HANDSHAKE_FAILURE": 40})


def create_default_context(purpose=Purpose.SERVER_AUTH, *, cafile=None, capath=None, cadata=None):
    """A context for a client; the host verifies."""
    if not isinstance(purpose, _ASN1Object):
        raise TypeError(purpose)
    context = SSLContext(_SSLMethod.PROTOCOL_TLS_CLIENT)
    if cafile or capath or cadata:
        context.load_verify_locations(cafile, capath, cadata)
    return context


def _create_unverified_context(protocol=None, **options):
    """A context that does not verify; the host verifies all the same."""
    context = SSLContext(_SSLMethod.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, VerifyMode.CERT_NONE
    return context


_create_default_https_context = create_default_context
_create_stdlib_context = _create_unverified_context


def get_default_verify_paths():
    """The host's roots are not files here."""
    return DefaultVerifyPaths(None, None, "SSL_CERT_FILE", "", "SSL_CERT_DIR", "")


def get_server_certificate(addr, ssl_version=None, ca_certs=None, timeout=None):
    """Refused: certificates stay with the host."""
    raise SSLError(1, _REASON)


def get_protocol_name(protocol_code):
    """The name of a protocol's number."""
    return next((name for name, member in _SSLMethod.__members__.items() if member == protocol_code), "<unknown>")


def cert_time_to_seconds(cert_time):
    """Seconds since 1970 of a certificate's `Jan  5 09:34:43 2018 GMT`."""
    from calendar import timegm  # as the standard library's does

    return timegm(time.strptime(cert_time, "%b %d %H:%M:%S %Y GMT"))


def DER_cert_to_PEM_cert(der_cert_bytes):
    """Convert a certificate from bytes to lines."""
    import textwrap

    text = "\n".join(textwrap.wrap(base64.standard_b64encode(der_cert_bytes).decode("ascii"), 64))
    return f"-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n"


def PEM_cert_to_DER_cert(pem_cert_string):
    """Convert a certificate from lines to bytes."""
    head, tail = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    text = pem_cert_string.strip()
    if not text.startswith(head) or not text.endswith(tail):
        raise ValueError(f"Invalid PEM encoding; must start with {head} and end with {tail}")
    return base64.decodebytes(text[len(head) : -len(tail)].encode("ascii"))


def RAND_bytes(num):
    """Random bytes, from the host."""
    return os.urandom(num)


def RAND_status():
    """Always true: there is always enough randomness."""
    return True


def RAND_add(string, entropy):
    """Not needed."""
