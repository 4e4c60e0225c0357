"""The interface of syslog(3). There is no system log in a session: messages go to standard error, as with `LOG_PERROR`."""

import os
import sys

LOG_EMERG, LOG_ALERT, LOG_CRIT, LOG_ERR, LOG_WARNING, LOG_NOTICE, LOG_INFO, LOG_DEBUG = range(8)
LOG_KERN, LOG_USER, LOG_MAIL, LOG_DAEMON, LOG_AUTH, LOG_SYSLOG, LOG_LPR, LOG_NEWS, LOG_UUCP, LOG_CRON, LOG_AUTHPRIV, LOG_FTP = range(0, 96, 8)
LOG_LOCAL0, LOG_LOCAL1, LOG_LOCAL2, LOG_LOCAL3, LOG_LOCAL4, LOG_LOCAL5, LOG_LOCAL6, LOG_LOCAL7 = range(128, 192, 8)
LOG_PID, LOG_CONS, LOG_ODELAY, LOG_NDELAY, LOG_NOWAIT, LOG_PERROR = 1, 2, 4, 8, 16, 32

_ident, _options, _mask = None, 0, 0xFF


def LOG_MASK(priority, /):
    """The mask of one priority."""
    return 1 << priority


def LOG_UPTO(priority, /):
    """The mask of all priorities up to one."""
    return (1 << priority + 1) - 1


def openlog(ident=None, logoption=0, facility=LOG_USER):
    """Set what precedes the messages that follow."""
    global _ident, _options
    sys.audit("syslog.openlog", ident, logoption, facility)
    _ident, _options = ident, logoption


def closelog():
    """Forget what `openlog` set."""
    global _ident, _options
    sys.audit("syslog.closelog")
    _ident, _options = None, 0


def setlogmask(maskpri, /):
    """Set the mask of the priorities that are written; returns the one before. 0 changes nothing."""
    global _mask
    sys.audit("syslog.setlogmask", maskpri)
    before, _mask = _mask, maskpri or _mask
    return before


def syslog(priority, message=None, /):
    """Write a message, with a priority before it or as the only argument."""
    if message is None:
        priority, message = LOG_INFO, priority
    if not isinstance(message, str):
        raise TypeError(f"argument must be str, not {type(message).__name__}")
    ident = _ident or os.path.basename(sys.argv[0] if sys.argv else "") or "python3"
    sys.audit("syslog.syslog", priority, message)
    if _mask & 1 << (priority & 7) and sys.stderr is not None:
        number = f"[{os.getpid()}]" if _options & LOG_PID else ""
        sys.stderr.write(f"{ident}{number}: {message}\n")
