"""Names and addresses of this session, for `socket`: localhost, the sandbox's own name, and IP addresses. No other name is looked up."""

import _socket
import errno
import ipaddress
import os

#: For calls that would reach beyond the session.
NO_SOCKETS = (
    "Permission denied: wisp's sockets connect the processes of this session only (localhost and Unix sockets); HTTP to elsewhere goes by "
    "http.client, urllib, requests and httpx ([network] of the policy)"
)

_INET, _INET6 = _socket.AF_INET, _socket.AF_INET6

#: The C library's own, which the sandbox denies: what would leave the session goes to them, so that the denial is on record.
_standard_socket, _standard_lookup = _socket.socket, _socket.getaddrinfo

#: Ports of services that programs name.
_SERVICES = {"domain": 53, "ftp": 21, "http": 80, "https": 443, "http-alt": 8080, "imap": 143, "ntp": 123, "smtp": 25, "ssh": 22, "telnet": 23}

_PROTOCOLS = ((_socket.SOCK_STREAM, _socket.IPPROTO_TCP), (_socket.SOCK_DGRAM, _socket.IPPROTO_UDP))

_LOOPBACK = (ipaddress.IPv4Address("127.0.0.1"), ipaddress.IPv6Address("::1"))
_ANY = (ipaddress.IPv4Address(0), ipaddress.IPv6Address(0))


def refused(family=_INET, kind=_socket.SOCK_STREAM, more=""):
    """The exception for a socket that would leave the session."""
    try:
        _standard_socket(family, kind).close()
    except OSError:
        pass
    return PermissionError(errno.EACCES, NO_SOCKETS + more)


def _refused_name(host):
    """The exception for a name that would be looked up."""
    try:
        _standard_lookup(host, None)
    except OSError:
        pass
    return PermissionError(errno.EACCES, NO_SOCKETS)


def _text(host):
    """A host as text."""
    if isinstance(host, (bytes, bytearray)):
        host = bytes(host).decode("ascii")
    if not isinstance(host, str):
        raise TypeError(f"str, bytes or bytearray expected, not {type(host).__name__}")
    return host


def _literal(host):
    """The IP address that a text is, or None."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def _is_own_name(host):
    name = host.rstrip(".").lower()
    return name in ("localhost", "ip6-localhost", "ip6-loopback") or name.endswith(".localhost") or name == _host_name()


def _host_name():
    return os.uname().nodename


def _is_own(ip):
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return ip.is_loopback or ip.is_unspecified


def own(host):
    """The addresses of this session that a host of a URL means, as text; none if it is elsewhere."""
    host = host.strip("[]")
    ip = _literal(host)
    if ip is not None:
        return [str(ip)] if _is_own(ip) else []
    return [str(ip) for ip in _LOOPBACK] if _is_own_name(host) else []


def _resolve(host, passive=False):
    """The addresses of a host."""
    if host is None or host == "":
        return list(_ANY if passive else _LOOPBACK)
    ip = _literal(host)
    if ip is not None:
        return [ip]
    if _is_own_name(host):
        return list(_LOOPBACK)
    raise _refused_name(host)


def _of_family(addresses, family):
    return [ip for ip in addresses if family in (0, _INET if ip.version == 4 else _INET6)]


def one_ip(host, family):
    """The address, as text, to which a socket of a family is bound or connected; only this session's own."""
    host = _text(host)
    if host == "<broadcast>":
        raise refused(family)
    found = _of_family(_resolve(host, passive=True), family)
    if not found:
        raise _socket.gaierror(_socket.EAI_ADDRFAMILY, "Address family for hostname not supported")
    if not _is_own(found[0]):
        raise refused(family)
    return str(found[0])


def _port(port):
    if port is None:
        return 0
    if isinstance(port, int):
        return port
    if isinstance(port, (bytes, bytearray)):
        port = bytes(port).decode("ascii")
    if not isinstance(port, str):
        raise OSError("Int or String expected")
    if port.isdecimal():
        return int(port)
    if port in _SERVICES:
        return _SERVICES[port]
    raise _socket.gaierror(_socket.EAI_SERVICE, "Servname not supported for ai_socktype")


def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
    """`socket.getaddrinfo`."""
    port = _port(port)
    host = None if host is None else _text(host)
    if host is not None and flags & _socket.AI_NUMERICHOST and _literal(host) is None:
        raise _socket.gaierror(_socket.EAI_NONAME, "Name or service not known")
    found = _of_family(_resolve(host, bool(flags & _socket.AI_PASSIVE)), family)
    if not found:
        raise _socket.gaierror(_socket.EAI_ADDRFAMILY, "Address family for hostname not supported")
    kinds = [kind for kind in _PROTOCOLS if type in (0, kind[0]) and proto in (0, kind[1])]
    if not kinds:
        raise _socket.gaierror(_socket.EAI_SOCKTYPE, "ai_socktype not supported")
    canonical = host or "" if flags & _socket.AI_CANONNAME else ""
    rows = []
    for ip in found:
        place = (_INET, (str(ip), port)) if ip.version == 4 else (_INET6, (str(ip), port, 0, 0))
        rows += [(place[0], *kind, canonical, place[1]) for kind in kinds]
    return rows


def gethostbyname(host, /):
    """`socket.gethostbyname`."""
    found = _of_family(_resolve(_text(host), passive=True), _INET)
    if not found:
        raise _socket.gaierror(_socket.EAI_ADDRFAMILY, "Address family for hostname not supported")
    return str(found[0])


def gethostbyname_ex(host, /):
    """`socket.gethostbyname_ex`."""
    return host, [], [gethostbyname(host)]


def _name_of(host):
    ip = _literal(host)
    return "localhost" if ip is None or _is_own(ip) else None


def gethostbyaddr(host, /):
    """`socket.gethostbyaddr`."""
    host = _text(host)
    address = str(_resolve(host)[0])
    name = _name_of(address) if _literal(host) is not None or not host else host
    if name is None:
        raise _refused_name(address)
    return name, [], [address]


def getnameinfo(sockaddr, flags, /):
    """`socket.getnameinfo`."""
    host, port = sockaddr[:2]
    named = None if flags & _socket.NI_NUMERICHOST else _name_of(host)
    if named is None and flags & _socket.NI_NAMEREQD:
        raise _socket.gaierror(_socket.EAI_NONAME, "Name or service not known")
    service = next((name for name, number in _SERVICES.items() if number == port), None)
    return named or host, str(port) if flags & _socket.NI_NUMERICSERV or service is None else service


def getservbyname(name, protocol="tcp", /):
    """`socket.getservbyname`."""
    if name not in _SERVICES:
        raise OSError("service/proto not found")
    return _SERVICES[name]


def getservbyport(port, protocol="tcp", /):
    """`socket.getservbyport`."""
    for name, number in _SERVICES.items():
        if number == port:
            return name
    raise OSError("port/proto not found")


def install():
    """Put these functions into `_socket`."""
    for function in (getaddrinfo, gethostbyname, gethostbyname_ex, gethostbyaddr, getnameinfo, getservbyname, getservbyport):
        setattr(_socket, function.__name__, function)
