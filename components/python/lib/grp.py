"""The group database: `/etc/group` of the sandbox, which knows `root` and the one user's group."""

from collections import namedtuple

__all__ = ["getgrall", "getgrgid", "getgrnam", "struct_group"]

struct_group = namedtuple("struct_group", "gr_name gr_passwd gr_gid gr_mem")

#: The entries that apply if the file is missing.
_DEFAULT = struct_group("user", "x", 1000, [])


def getgrall():
    """All entries, in no particular order."""
    entries = []
    try:
        with open("/etc/group", encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                fields = line.rstrip("\n").split(":")
                if len(fields) == 4 and fields[2].isdigit():
                    members = [member for member in fields[3].split(",") if member]
                    entries.append(struct_group(fields[0], fields[1], int(fields[2]), members))
    except OSError:
        pass
    return entries or [_DEFAULT]


def getgrgid(id):
    """The entry of a group id."""
    for entry in getgrall():
        if entry.gr_gid == id:
            return entry
    raise KeyError(f"getgrgid(): gid not found: {id}")


def getgrnam(name):
    """The entry of a group name."""
    for entry in getgrall():
        if entry.gr_name == name:
            return entry
    raise KeyError(f"getgrnam(): name not found: {name!r}")
