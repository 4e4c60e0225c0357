"""Time zones: the data of the tzdata package, as files; local time.

The C library of WASI knows no time zone. `_wisp_localtime` (components/localtime) has its functions of local time in their place, for
`time`, `datetime` and whatever else is written in C. Here the zone is read, which costs a program nothing until it needs local time.
"""

import errno
import io
import os
import re
import struct
import time
import zoneinfo._tzpath
from zoneinfo import _common

from . import paths

try:
    import _wisp_localtime as native
except ImportError:  # an image with another C library: local time is UTC
    native = None

#: Values of `TZ` that are UTC, by that name. So is local time without the variable: no session has an `/etc/localtime`.
_UTC = ("", "UTC", "UTC0", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "Universal", "Zulu", "UCT")

#: Parts of a rule in the form of POSIX: `CET-1CEST,M3.5.0,M10.5.0/3`.
_NAME = r"<[0-9A-Za-z+-]{3,}>|[A-Za-z]{3,}"
_HOURS = r"[+-]?\d{1,3}(?::\d{1,2}){0,2}"
_RULE = re.compile(rf"({_NAME})({_HOURS})(?:({_NAME})({_HOURS})?(?:,([^,]*))?(?:,([^,]*))?)?")
_CHANGE = re.compile(rf"(?:M(1[0-2]|0?[1-9])\.([1-5])\.([0-6])|(J?)(\d{{1,3}}))(?:/({_HOURS}))?")

#: When summer time begins and ends by a rule that does not say it: as in the United States.
_CHANGES = "M3.2.0", "M11.1.0"

#: `time.localtime` and `time.time`, which a program may replace.
_localtime, _now = time.localtime, time.time

#: The constants of `time` that tell the zone.
_CONSTANTS = ("tzname", "timezone", "altzone", "daylight")

#: The value of `TZ` that the process started with.
_value = ""


def install():
    """Point `zoneinfo` at the data in the base layer; replace `time.tzset`."""
    zoneinfo._tzpath.TZPATH = (paths.ZONES,)
    time.tzset = tzset


def begin(value):
    """Take the value of `TZ` that a process starts with (bytes; None without one). Nothing is read yet."""
    global _value
    _value = os.fsdecode(value or b"").removeprefix(":")
    if native is None:
        return
    if _value in _UTC and vars(time).get("tzname") == ("UTC", "UTC"):
        native.use(b"")
        return
    native.expect(_load)
    for name in _CONSTANTS:
        vars(time).pop(name, None)
    time.__getattr__ = _constant


def tzset():
    """Make local time that of the zone in os.environ['TZ']; without it, and for one that is not known, UTC."""
    zone = os.environ.get("TZ", "").removeprefix(":")
    if native is not None:
        _apply(zone)
    elif zone not in (*_UTC, "GMT", "GMT0"):
        reason = f"local time is UTC in this Python; use datetime with zoneinfo.ZoneInfo({zone!r})"
        raise OSError(errno.ENOTSUP, f"{os.strerror(errno.ENOTSUP)}: {reason}")


def _constant(name):
    """`time.__getattr__`: the constants of a zone that nothing has needed yet."""
    if name in _CONSTANTS:
        _load()
        return vars(time)[name]
    raise AttributeError(f"module 'time' has no attribute {name!r}", name=name, obj=time)


def _load():
    """Apply what `TZ` was at the start."""
    _apply(_value)


def _apply(zone):
    """Let local time be that of a value of `TZ`, without the colon that it may begin with."""
    native.use(_table(zone))
    year = (365 * 24 + 6) * 3600  # CPython looks at these two moments of this year
    january = int(_now()) // year * year
    winter, summer = sorted((_localtime(january), _localtime(january + year // 2)), key=lambda moment: moment.tm_gmtoff)
    constants = (winter.tm_zone, summer.tm_zone), -winter.tm_gmtoff, -summer.tm_gmtoff, int(winter.tm_gmtoff != summer.tm_gmtoff)
    vars(time).update(zip(_CONSTANTS, constants))
    if vars(time).get("__getattr__") is _constant:
        del time.__getattr__


# --- what `_wisp_localtime` is given (components/localtime/src/zone.rs)


def _table(zone):
    """The table of the zone that a value of `TZ` names. An unknown one is UTC by that name, as in the C library of Linux."""
    if zone in _UTC:
        return b""
    try:
        with io.FileIO(zone if zone[0] == "/" else f"{paths.ZONES}/{zone}") as file:
            return _of_file(file.readall())
    except (OSError, ValueError, struct.error):
        pass  # not the name of a file, or of another file
    kinds, changes = _rule(zone) or ([], [])
    if not kinds:
        name = re.match(_NAME, zone)
        kinds = [(0, 0, name[0].strip("<>") if name else "")]
    return _packed((), (), kinds, 0, (0, len(kinds) - 1), changes)


def _of_file(data):
    """The table of a file of the database."""
    indices, moments, *kinds, rule = _common.load_data(io.BytesIO(data))
    kinds = list(zip(*kinds))
    first = next((number for number, kind in enumerate(kinds) if not kind[1]), 0)
    last = indices[-1] if indices else first
    added, changes = _rule((rule or b"").decode("latin-1")) or ([], [])
    if not changes:
        return _packed(moments, indices, kinds, first, (last, last), [])
    return _packed(moments, indices, kinds + added, first, (len(kinds), len(kinds) + 1), changes)


def _packed(moments, indices, kinds, first, today, changes):
    """A table. Kinds are: seconds ahead of UTC, whether it is summer time, the name."""
    names, numbers = b"", []
    for ahead, summer, name in kinds:
        numbers += [ahead, summer, len(names)]
        names += name.encode("ascii", "replace") + b"\0"
    head = len(moments), len(kinds), first, *today, bool(changes)
    numbers = [*head, *moments, *indices, *numbers, *(changes or [0] * 10)]
    return struct.pack(f"<{len(numbers)}q", *numbers) + names


def _rule(text):
    """The kinds of a rule in the form of POSIX, and the ten numbers that say when the clocks change, if they do; None if it is none."""
    found = _RULE.match(text)
    if found is None:
        return None
    name, west, summer, summer_west, *changes = found.groups()
    kinds = [(-_offset(west), 0, name.strip("<>"))]
    numbers = [_change(change or usual) for change, usual in zip(changes, _CHANGES)]
    if summer is None or None in numbers:
        return kinds, []
    kinds.append((-_offset(summer_west) if summer_west else kinds[0][0] + 3600, 1, summer.strip("<>")))
    begin, end = numbers
    return kinds, begin + end


def _change(text):
    """The five numbers of a change, or None."""
    found = _CHANGE.fullmatch(text)
    if found is None:
        return None
    *week, year, day, time_of_day = found.groups()
    where = [0, *map(int, week)] if day is None else [1 if year else 2, int(day), 0, 0]
    return [*where, _seconds(time_of_day or "2")]


def _offset(text):
    """Seconds of an offset: a day at most."""
    return max(-86400, min(_seconds(text), 86400))


def _seconds(text):
    """Seconds of `-h:mm:ss`."""
    hours, minutes, seconds = ([int(part) for part in text.lstrip("+-").split(":")] + [0, 0])[:3]
    return (-1 if text[0] == "-" else 1) * (hours * 3600 + minutes * 60 + seconds)
