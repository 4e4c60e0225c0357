"""Regular expressions over a log."""

import re

LOG = "\n".join(f"2026-11-{day:02} 12:{minute:02}:07 host{day} app[{minute}]: user=u{minute}@mail.example took {day * minute} ms"
                for day in range(1, 29) for minute in range(0, 60, 7))
LINE = re.compile(r"^(\d{4})-(\d\d)-(\d\d) (\S+) (\w+) (\w+)\[(\d+)\]: (.*)$", re.M)
MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")


def work():
    found = sum(int(match[7]) for match in LINE.finditer(LOG))
    found += len(MAIL.findall(LOG))
    found += len(re.sub(r"took (\d+) ms", lambda match: f"took {int(match[1]) / 1000} s", LOG))
    return found + len(re.split(r"[\s:,]+", LOG))
