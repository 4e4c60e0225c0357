"""What a CPython for wasip1 lacks and `_wisp` expects: names of `_socket`, with the numbers of the shipped image; and the codecs
(components/codecs), of which only scrypt would be needed."""

import _socket
import errno
import os
import sys
import types

_NUMBERS = """
AF_INET=1 AF_INET6=2 AF_UNIX=3 AF_UNSPEC=0 AI_ADDRCONFIG=32 AI_ALL=16 AI_CANONNAME=2 AI_NUMERICHOST=4 AI_NUMERICSERV=1024
AI_PASSIVE=1 AI_V4MAPPED=8 EAI_ADDRFAMILY=-9 EAI_AGAIN=-3 EAI_BADFLAGS=-1 EAI_FAIL=-4 EAI_FAMILY=-6 EAI_MEMORY=-10 EAI_NODATA=-5
EAI_NONAME=-2 EAI_OVERFLOW=-12 EAI_SERVICE=-8 EAI_SOCKTYPE=-7 EAI_SYSTEM=-11 INADDR_ANY=0 IPPROTO_ICMP=1 IPPROTO_IP=0
IPPROTO_IPV6=41 IPPROTO_RAW=255 IPPROTO_TCP=6 IPPROTO_UDP=17 IPV6_V6ONLY=26 MSG_DONTWAIT=64 MSG_NOSIGNAL=16384 MSG_PEEK=2
MSG_TRUNC=32 MSG_WAITALL=256 NI_DGRAM=16 NI_MAXHOST=255 NI_MAXSERV=32 NI_NAMEREQD=8 NI_NOFQDN=4 NI_NUMERICHOST=1 NI_NUMERICSERV=2
SHUT_RD=1 SHUT_RDWR=3 SHUT_WR=2 SOCK_CLOEXEC=8192 SOCK_DGRAM=5 SOCK_NONBLOCK=16384 SOCK_STREAM=6 SOL_IP=0 SOL_SOCKET=2147483647
SOL_TCP=6 SOL_UDP=17 SOMAXCONN=128 SO_ACCEPTCONN=30 SO_DOMAIN=39 SO_ERROR=4 SO_KEEPALIVE=9 SO_PROTOCOL=38 SO_RCVBUF=8
SO_RCVTIMEO=66 SO_REUSEADDR=2 SO_SNDBUF=7 SO_SNDTIMEO=67 SO_TYPE=3 TCP_CC_INFO=26 TCP_CONGESTION=13 TCP_CORK=3 TCP_DEFER_ACCEPT=9
TCP_FASTOPEN=23 TCP_FASTOPEN_CONNECT=30 TCP_FASTOPEN_KEY=33 TCP_FASTOPEN_NO_COOKIE=34 TCP_INFO=11 TCP_INQ=36 TCP_KEEPCNT=6
TCP_KEEPIDLE=4 TCP_KEEPINTVL=5 TCP_LINGER2=8 TCP_MAXSEG=2 TCP_MD5SIG=14 TCP_MD5SIG_EXT=32 TCP_NODELAY=1 TCP_NOTSENT_LOWAT=25
TCP_QUEUE_SEQ=21 TCP_QUICKACK=12 TCP_REPAIR=19 TCP_REPAIR_OPTIONS=22 TCP_REPAIR_QUEUE=20 TCP_REPAIR_WINDOW=29 TCP_SAVED_SYN=28
TCP_SAVE_SYN=27 TCP_SYNCNT=7 TCP_THIN_DUPACK=17 TCP_THIN_LINEAR_TIMEOUTS=16 TCP_TIMESTAMP=24 TCP_TX_DELAY=37 TCP_ULP=31
TCP_USER_TIMEOUT=18 TCP_WINDOW_CLAMP=10 TCP_ZEROCOPY_RECEIVE=35 has_ipv6=1
"""

_FUNCTIONS = """
getaddrinfo getnameinfo gethostbyname gethostbyname_ex gethostbyaddr gethostname getservbyname getservbyport getprotobyname
socketpair dup close htons htonl ntohs ntohl inet_aton inet_ntoa inet_pton inet_ntop
""".split()


def _absent(*arguments):
    raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))


def install():
    """Add what is missing. `_wisp.names` and `_wisp.sockets` put their own in the place of the functions."""
    for word in _NUMBERS.split():
        name, _, value = word.partition("=")
        if not hasattr(_socket, name):
            setattr(_socket, name, int(value))
    for name in _FUNCTIONS:
        if not hasattr(_socket, name):
            setattr(_socket, name, _absent)
    sys.modules["_wisp_codecs"] = types.ModuleType("_wisp_codecs")
    for name in ("open", "step", "mix"):  # a text is what went wrong
        setattr(sys.modules["_wisp_codecs"], name, lambda *arguments: "this is not in the data image")
    for name in ("gaierror", "herror"):
        if not hasattr(_socket, name):
            setattr(_socket, name, type(name, (OSError,), {"__module__": "socket"}))
