"""The settings of terminals, with Linux's numbers (termios(3)).

A terminal of wisp has no line: speeds, parity and breaks are accepted and have no effect. A terminal whose lines the host
edits has no settings: `tcgetattr` raises `error` with ENOTTY there.
"""

import errno
import operator
import os

from wit_world.imports import terminal as _terminal

from _wisp import terminals as _terminals
from _wisp.descriptors import number_of as _number_of


class error(Exception):
    """An error of this module: its arguments are a number of `errno` and a text."""


NCCS = 32
VINTR, VQUIT, VERASE, VKILL, VEOF, VTIME, VMIN, VSWTC, VSTART, VSTOP, VSUSP, VEOL, VREPRINT, VDISCARD, VWERASE, VLNEXT, VEOL2 = range(17)

IGNBRK, BRKINT, IGNPAR, PARMRK, INPCK, ISTRIP, INLCR, IGNCR = (1 << bit for bit in range(8))
ICRNL, IUCLC, IXON, IXANY, IXOFF, IMAXBEL, IUTF8 = (1 << bit for bit in range(8, 15))

OPOST, OLCUC, ONLCR, OCRNL, ONOCR, ONLRET, OFILL, OFDEL = (1 << bit for bit in range(8))
NLDLY, NL0, NL1 = 0o400, 0, 0o400
CRDLY, CR0, CR1, CR2, CR3 = 0o3000, 0, 0o1000, 0o2000, 0o3000
TABDLY, TAB0, TAB1, TAB2, TAB3, XTABS = 0o14000, 0, 0o4000, 0o10000, 0o14000, 0o14000
BSDLY, BS0, BS1 = 0o20000, 0, 0o20000
VTDLY, VT0, VT1 = 0o40000, 0, 0o40000
FFDLY, FF0, FF1 = 0o100000, 0, 0o100000

CSIZE, CS5, CS6, CS7, CS8 = 0o60, 0, 0o20, 0o40, 0o60
CSTOPB, CREAD, PARENB, PARODD, HUPCL, CLOCAL = 0o100, 0o200, 0o400, 0o1000, 0o2000, 0o4000
CBAUD, CRTSCTS = 0o10017, 0o20000000000
B0, B50, B75, B110, B134, B150, B200, B300, B600, B1200, B1800, B2400, B4800, B9600, B19200, B38400 = range(16)
B57600, B115200, B230400 = 0o10001, 0o10002, 0o10003

ISIG, ICANON, XCASE, ECHO, ECHOE, ECHOK, ECHONL, NOFLSH, TOSTOP = (1 << bit for bit in range(9))
ECHOCTL, ECHOPRT, ECHOKE, FLUSHO, PENDIN, IEXTEN, EXTPROC = 0o1000, 0o2000, 0o4000, 0o10000, 0o40000, 0o100000, 0o200000

TCSANOW, TCSADRAIN, TCSAFLUSH = range(3)
TCIFLUSH, TCOFLUSH, TCIOFLUSH = range(3)
TCOOFF, TCOON, TCIOFF, TCION = range(4)

TCGETS, TCSETS, TCSETSW, TCSETSF = 0x5401, 0x5402, 0x5403, 0x5404
TIOCSCTTY, TIOCGPGRP, TIOCSPGRP, TIOCOUTQ, TIOCSTI = 0x540E, 0x540F, 0x5410, 0x5411, 0x5412
TIOCGWINSZ, TIOCSWINSZ, FIONREAD, TIOCINQ, TIOCNOTTY = 0x5413, 0x5414, 0x541B, 0x541B, 0x5422

_QUEUES = {TCIFLUSH: _terminal.Queue.INPUT, TCOFLUSH: _terminal.Queue.OUTPUT, TCIOFLUSH: _terminal.Queue.BOTH}
_ACTIONS = {
    TCOOFF: _terminal.Action.HOLD_OUTPUT,
    TCOON: _terminal.Action.RELEASE_OUTPUT,
    TCIOFF: _terminal.Action.SEND_STOP,
    TCION: _terminal.Action.SEND_START,
}

#: The number of control characters that the host knows.
_CHARACTERS = 19

#: The bits of a word of flags.
_WORD = (1 << 32) - 1


def tcgetattr(fd, /):
    """The settings: [iflag, oflag, cflag, lflag, ispeed, ospeed, cc]."""
    settings = _ask(_terminal.get_settings, fd)
    cc = [bytes([byte]) for byte in bytes(settings.characters)]
    cc += [b"\0"] * (NCCS - len(cc))
    if not settings.local & ICANON:
        cc[VMIN], cc[VTIME] = cc[VMIN][0], cc[VTIME][0]
    speed = settings.control & CBAUD
    return [settings.input, settings.output, settings.control, settings.local, speed, speed, cc]


def tcsetattr(fd, when, attributes, /):
    """Replace the settings: now, when the output has been shown (TCSADRAIN), or then and without what was typed (TCSAFLUSH)."""
    number = _number_of(fd)
    if not isinstance(attributes, list) or len(attributes) != 7:
        raise TypeError("tcsetattr, arg 3: must be 7 element list")
    *words, ispeed, ospeed, cc = attributes
    words = [operator.index(word) & _WORD for word in words]
    for speed in (ispeed, ospeed):
        operator.index(speed)
    if not isinstance(cc, list) or len(cc) != NCCS:
        raise TypeError(f"tcsetattr: attributes[6] must be {NCCS} element list")
    if when not in (TCSANOW, TCSADRAIN, TCSAFLUSH):
        raise error(errno.EINVAL, os.strerror(errno.EINVAL))
    settings = _terminal.Settings(*words, bytes(map(_character, cc))[:_CHARACTERS])
    if when != TCSANOW:
        _ask(_terminal.drain, number)
    if when == TCSAFLUSH:
        _ask(_terminal.flush, number, _terminal.Queue.INPUT)
    _ask(_terminal.set_settings, number, settings)


def tcsendbreak(fd, duration, /):
    """Do nothing: there is no line. `fd` must be a terminal."""
    operator.index(duration)
    _ask(_terminal.get_size, fd)


def tcdrain(fd, /):
    """Wait until everything that was written has been shown."""
    _ask(_terminal.drain, fd)


def tcflush(fd, queue, /):
    """Discard what was typed and not read, what was written and not shown, or both."""
    _ask(_terminal.flush, fd, _of(_QUEUES, queue))


def tcflow(fd, action, /):
    """Hold the output back or release it, or send the STOP or START character."""
    _ask(_terminal.flow, fd, _of(_ACTIONS, action))


def tcgetwinsize(fd, /):
    """The size: (rows, columns)."""
    size = _ask(_terminal.get_size, fd)
    return size.rows, size.columns


def tcsetwinsize(fd, winsize, /):
    """Set the size: (rows, columns)."""
    rows, columns = winsize
    rows, columns = operator.index(rows), operator.index(columns)
    if not (0 <= rows < 1 << 16 and 0 <= columns < 1 << 16):
        raise OverflowError("winsize value(s) out of range")
    number = _number_of(fd)
    size = _ask(_terminal.get_size, number)
    _ask(_terminal.set_size, number, _terminal.Size(rows, columns, size.width, size.height))


def _character(value):
    """A control character, given as one byte or as a number."""
    if isinstance(value, bytes) and len(value) == 1:
        return value[0]
    if isinstance(value, int):
        return value & 0xFF
    raise TypeError("tcsetattr: elements of attributes must be characters or integers")


def _of(table, key):
    """The host's word for one of our numbers."""
    key = operator.index(key)
    if key not in table:
        raise error(errno.EINVAL, os.strerror(errno.EINVAL))
    return table[key]


def _ask(function, fd, *arguments):
    """Call a function of the host; its failure is our `error`."""
    try:
        return _terminals.ask(function, _number_of(fd), *arguments)
    except OSError as failure:
        number = failure.errno
    raise error(number, os.strerror(number))
