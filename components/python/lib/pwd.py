"""The password database: `/etc/passwd` of the sandbox, which knows `root` and the one user."""

from collections import namedtuple

__all__ = ["getpwall", "getpwnam", "getpwuid", "struct_passwd"]

struct_passwd = namedtuple("struct_passwd", "pw_name pw_passwd pw_uid pw_gid pw_gecos pw_dir pw_shell")

#: The entries that apply if the file is missing.
_DEFAULT = struct_passwd("user", "x", 1000, 1000, "", "/home/user", "/usr/bin/sh")


def getpwall():
    """All entries, in no particular order."""
    entries = []
    try:
        with open("/etc/passwd", encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                fields = line.rstrip("\n").split(":")
                if len(fields) == 7 and fields[2].isdigit() and fields[3].isdigit():
                    fields[2:4] = int(fields[2]), int(fields[3])
                    entries.append(struct_passwd(*fields))
    except OSError:
        pass
    return entries or [_DEFAULT]


def getpwuid(uid, /):
    """The entry of a user id."""
    for entry in getpwall():
        if entry.pw_uid == uid:
            return entry
    raise KeyError(f"getpwuid(): uid not found: {uid}")


def getpwnam(name, /):
    """The entry of a user name."""
    for entry in getpwall():
        if entry.pw_name == name:
            return entry
    raise KeyError(f"getpwnam(): name not found: {name!r}")
