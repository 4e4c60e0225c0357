"""Translates the errors of the host's HTTP into Python's exceptions, with the reason that the host gives."""

import errno
import os
import socket
import ssl

from wit_world.imports import network

#: How the addresses of this machine begin in a URL.
_OWN = ("localhost", "127.", "[::1]")


def _no_network(method, scheme, authority):
    """Why a policy without `[network]` denies a request, and what would allow it. An option cannot allow addresses of the machine."""
    url = f"{scheme}://{authority.removesuffix(':443' if scheme == 'https' else ':80')}/"
    plain = method in ("GET", "HEAD")
    methods = "" if plain else f', methods = ["{method}"]'
    if authority.startswith(_OWN):
        rule = f'`[network]` with `allow = [{{ url = "{url}"{methods}, allow_private = true }}]` in the policy'
        return f"the policy grants no network; {rule} allows what the machine serves"
    option = url if plain else f"'{method} {url}'"
    rule = f'`[network]` with `allow = [{{ url = "{url}"{methods} }}]` in the policy'
    return f"the policy grants no network; `--allow {option}` allows it, or {rule}"


def title(name):
    """A header's name as servers write it: the host returns names in lower case."""
    return {"etag": "ETag", "www-authenticate": "WWW-Authenticate"}.get(name) or "-".join(
        part.capitalize() for part in name.split("-")
    )


class Incomplete(ConnectionResetError):
    """The connection ended within the response."""


def exception(code, method, scheme, authority):
    """The exception that a Python programmer expects for an error of the host in this request, with the reason that the host gives."""
    name = type(code).__name__.removeprefix("ErrorCode_")
    said = network.last_failure()

    def text(usual):
        if said is None:
            return usual
        rule = f" ({said.rule})" if said.rule else ""
        return f"{said.reason}{rule}" + (f"; {said.help}" if said.help else "")

    if name in ("HttpRequestDenied", "DestinationIpProhibited", "ConnectionLimitReached"):
        return PermissionError(errno.EACCES, f"{os.strerror(errno.EACCES)}: denied by wisp: {text(_no_network(method, scheme, authority))}")
    if name in ("DnsError", "DestinationNotFound"):
        return socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    if name == "DnsTimeout":
        return socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    if name == "ConnectionRefused":
        return ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
    if name in ("DestinationUnavailable", "DestinationIpUnroutable"):
        return OSError(errno.EHOSTUNREACH, os.strerror(errno.EHOSTUNREACH))
    if name == "ConnectionTimeout":
        return TimeoutError(errno.ETIMEDOUT, "Connection timed out")
    if name in ("ConnectionReadTimeout", "ConnectionWriteTimeout", "HttpResponseTimeout"):
        return TimeoutError("timed out")
    if name == "TlsCertificateError":
        reason = text("the certificate is not trusted")
        failure = ssl.SSLCertVerificationError(1, f"[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: {reason}")
        failure.verify_message = reason
        return failure
    if name.startswith("Tls"):
        return ssl.SSLError(1, f"[SSL] {text('the TLS handshake failed')}")
    if name in ("ConnectionTerminated", "HttpResponseIncomplete"):
        return Incomplete(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
    if name in ("HttpRequestBodySize", "HttpResponseBodySize"):
        return OSError(errno.EFBIG, f"{os.strerror(errno.EFBIG)}: stopped by wisp: {text('more than the policy allows')}")
    if name in ("HttpRequestUriInvalid", "HttpRequestMethodInvalid", "HttpRequestUriTooLong"):
        return OSError(errno.EINVAL, f"{os.strerror(errno.EINVAL)}: {text('this is no request of HTTP')}")
    return OSError(errno.EPROTO, f"{os.strerror(errno.EPROTO)}: {text(name)}")
