"""Mode bits, owners and access rights: the functions of `os` for which WASI's C library returns zeros, or which it lacks."""

import collections
import errno
import operator
import os
import posix
import shutil
import stat as modes

from wit_world.imports import files, process

from . import descriptors, numbers, os_descriptors, spelling
from .errors import call, os_error, refused

_KINDS = {
    files.FileType.REGULAR: modes.S_IFREG,
    files.FileType.DIRECTORY: modes.S_IFDIR,
    files.FileType.SYMBOLIC_LINK: modes.S_IFLNK,
    files.FileType.CHARACTER_DEVICE: modes.S_IFCHR,
    files.FileType.FIFO: modes.S_IFIFO,
    files.FileType.SOCKET: modes.S_IFSOCK,
}

#: The sandbox's one user and group.
USER = 1000

_NANO = 1_000_000_000



def _result(facts):
    """A `stat_result` of what the host says."""
    a, m, c = facts.accessed, facts.modified, facts.changed
    first = (_KINDS[facts.kind] | facts.mode, facts.inode, facts.device, facts.links, facts.uid, facts.gid, facts.size)
    later = {
        "st_atime": a / _NANO,
        "st_mtime": m / _NANO,
        "st_ctime": c / _NANO,
        "st_atime_ns": a,
        "st_mtime_ns": m,
        "st_ctime_ns": c,
        "st_blocks": facts.blocks,
        "st_blksize": 4096,
        "st_rdev": 0,
    }
    return os.stat_result((*first, a // _NANO, m // _NANO, c // _NANO), later)


def absolute(path, dir_fd=None):
    """The absolute path as text, as the host expects it: spelled."""
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")
    path = os.fsdecode(path)
    if "\0" in path:
        raise ValueError("embedded null character in path")
    if not path:
        return path
    return spelling.spell(path if path[:1] == "/" else posix.getcwd().rstrip("/") + "/" + path)


def stat(path, *, dir_fd=None, follow_symlinks=True):
    """`os.stat`."""
    if isinstance(path, int):
        return fstat(path)
    where = absolute(path, dir_fd)
    if not where:
        raise os_error(files.ErrorCode.NO_ENTRY, path)
    return _result(call(files.stat_at, where, follow_symlinks, path=path))


def lstat(path, *, dir_fd=None):
    """`os.lstat`."""
    return stat(path, dir_fd=dir_fd, follow_symlinks=False)


def fstat(fd):
    """`os.fstat`."""
    facts = os_descriptors.host_stat(fd)
    return posix.fstat(fd) if facts is None else _result(facts)


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    """`os.chmod`."""
    if isinstance(path, int):
        raise refused(errno.ENOTSUP, "the sandbox changes modes by path, not by descriptor")
    where = absolute(path, dir_fd)
    if not follow_symlinks and modes.S_ISLNK(lstat(path).st_mode):
        raise NotImplementedError("chmod: follow_symlinks unavailable on this platform")
    call(files.set_mode, where, mode & 0o7777, path=path)


def chown(path, uid, gid, *, dir_fd=None, follow_symlinks=True):
    """`os.chown`: the sandbox has one user, who can only give a file to that same user."""
    facts = stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
    if uid not in (-1, facts.st_uid) or gid not in (-1, facts.st_gid):
        raise os_error(files.ErrorCode.NOT_PERMITTED, path)


def lchown(path, uid, gid):
    """`os.lchown`."""
    chown(path, uid, gid, follow_symlinks=False)


def access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    """`os.access`, decided by the mode bits for user 1000."""
    try:
        facts = call(files.stat_at, absolute(path, dir_fd), follow_symlinks)
    except OSError:
        return False
    shift = 6 if facts.uid == USER else 3 if facts.gid == USER else 0
    return (facts.mode >> shift) & mode & 7 == mode & 7


def umask(mask, /):
    """`os.umask`."""
    return process.umask(operator.index(mask) & 0o777)


def open_(path, flags, mode=0o777, *, dir_fd=None):
    """`os.open`: a new file gets `mode`."""
    if not flags & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR):
        flags |= os.O_RDONLY  # elsewhere the result is 0
    fresh = flags & os.O_CREAT and not _exists(path)
    numbers.settle()
    fd = posix.open(path, flags, mode, dir_fd=dir_fd) if dir_fd is not None else posix.open(path, flags, mode)
    while descriptors.lookup(fd) is not None:  # a high number, which is not held back
        numbers.keep(fd)
        fd = posix.open(path, flags & ~(os.O_CREAT | os.O_EXCL | os.O_TRUNC))
    descriptors.was_opened(fd, flags)
    if descriptors.is_alias(path):
        descriptors.share_alias(fd)
    if fresh and mode & 0o7777 != 0o666:
        wanted = mode & ~process.umask(None) & 0o7777
        call(files.set_mode, absolute(path, dir_fd), wanted, path=path)
    return fd


def _exists(path):
    """Whether `os.open` would leave no new file."""
    try:
        posix.stat(path)
    except OSError:
        return False
    return True


def mkdir(path, mode=0o777, *, dir_fd=None):
    """`os.mkdir`."""
    posix.mkdir(path, mode) if dir_fd is None else posix.mkdir(path, mode, dir_fd=dir_fd)
    if mode & 0o7777 != 0o777:
        wanted = mode & ~process.umask(None) & 0o7777
        call(files.set_mode, absolute(path, dir_fd), wanted, path=path)


def mkfifo(path, mode=0o666, *, dir_fd=None):
    """`os.mkfifo`."""
    where = absolute(path, dir_fd)
    if not where:
        raise os_error(files.ErrorCode.NO_ENTRY, path)
    call(files.make_fifo, where, mode & 0o7777, path=path)


def mknod(path, mode=0o600, device=0, *, dir_fd=None):
    """`os.mknod`: named pipes and regular files. The sandbox has no devices to make."""
    kind = modes.S_IFMT(mode)
    if kind == modes.S_IFIFO:
        mkfifo(path, modes.S_IMODE(mode), dir_fd=dir_fd)
    elif kind in (0, modes.S_IFREG):
        posix.close(open_(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, modes.S_IMODE(mode), dir_fd=dir_fd))
    else:
        raise os_error(files.ErrorCode.NOT_PERMITTED, path)


class DirEntry:
    """`os.DirEntry` whose `stat` knows mode bits."""

    __slots__ = ("_entry", "_stat", "_lstat", "name", "path")

    def __init__(self, entry):
        self._entry = entry
        self._stat = self._lstat = None
        self.name = entry.name
        self.path = entry.path

    def is_dir(self, *, follow_symlinks=True):
        """Whether it is a directory."""
        return self._entry.is_dir(follow_symlinks=follow_symlinks)

    def is_file(self, *, follow_symlinks=True):
        """Whether it is a regular file."""
        return self._entry.is_file(follow_symlinks=follow_symlinks)

    def is_symlink(self):
        """Whether it is a symbolic link."""
        return self._entry.is_symlink()

    def is_junction(self):
        """Junctions exist only on Windows."""
        return False

    def inode(self):
        """Its inode number."""
        return self.stat(follow_symlinks=False).st_ino

    def stat(self, *, follow_symlinks=True):
        """Facts about it, requested once."""
        if follow_symlinks:
            if self._stat is None:
                self._stat = stat(self.path)
            return self._stat
        if self._lstat is None:
            self._lstat = lstat(self.path)
        return self._lstat

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


DirEntry.__module__ = "posix"


class _Scan:
    """The result of `os.scandir`: an iterator that is also a context manager."""

    def __init__(self, entries):
        self._entries = entries

    def __iter__(self):
        return self

    def __next__(self):
        return DirEntry(next(self._entries))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._entries.close()

    def close(self):
        """Release the directory."""
        self._entries.close()


def scandir(path=None):
    """`os.scandir`."""
    return _Scan(posix.scandir("." if path is None else path))


def chdir(path):
    """`os.chdir`: the C library would remember the path as it was written, including `..` and links."""
    if isinstance(path, int):
        raise refused(errno.ENOTSUP, "the sandbox changes directories by path, not by descriptor")
    facts = stat(path)
    if not modes.S_ISDIR(facts.st_mode):
        raise os_error(files.ErrorCode.NOT_DIRECTORY, path)
    if not access(path, os.X_OK):
        raise os_error(files.ErrorCode.ACCESS, path)
    posix.chdir(os.path.realpath(os.fsdecode(path)))


def statvfs(path):
    """`os.statvfs` of the session's filesystem: its quota."""
    if not isinstance(path, int):
        stat(path)
    usage = files.space_usage()
    block = 4096
    free = max(0, usage.max_bytes - usage.bytes) // block
    nodes = max(0, usage.max_files - usage.files)
    return os.statvfs_result(
        (block, block, usage.max_bytes // block, free, free, usage.max_files, nodes, nodes, 0, 255)
    )


def install():
    """Put these functions into `os` and what depends on them."""
    names = "stat lstat fstat chmod chown lchown access umask mkdir mkfifo mknod chdir scandir statvfs DirEntry"
    for name in names.split():
        setattr(os, name, globals()[name])
    os.open = open_
    open_.__name__ = open_.__qualname__ = "open"
    posix_aware = {os.stat, os.access, os.scandir, os.chmod, os.utime}
    os.supports_follow_symlinks = {*os.supports_follow_symlinks, os.stat, os.access, os.chown} | {os.utime, os.link}
    os.supports_fd = {*os.supports_fd, os.stat} - {os.chmod}
    os.supports_dir_fd = set(os.supports_dir_fd) - posix_aware

    def disk_usage(path):
        """`shutil.disk_usage`: the session's quota."""
        stat(path)
        usage = files.space_usage()
        return shutil._ntuple_diskusage(usage.max_bytes, usage.bytes, max(0, usage.max_bytes - usage.bytes))

    if not hasattr(shutil, "_ntuple_diskusage"):
        shutil._ntuple_diskusage = collections.namedtuple("usage", "total used free")
    shutil.disk_usage = disk_usage
    if "disk_usage" not in shutil.__all__:
        shutil.__all__.append("disk_usage")
