"""`subprocess`: the standard module, with the one step that needs fork replaced by the host's spawn."""

import errno
import os
import posix
import subprocess
import sys

from wit_world.imports import files
from wit_world.imports.process import Attributes

from . import descriptors, identity, processes, replacing, signals, wait_status
from .errors import call, refused
from .selector import HostSelector


def _search(program, environment):
    """The path of `program`, searched for as exec does; raises the exception that CPython raises."""
    name = os.fsdecode(program)
    if os.path.dirname(name):
        candidates = [name]
    else:
        candidates = [os.path.join(directory, name) for directory in os.get_exec_path(environment)]
    denied = False
    for path in candidates:
        try:
            facts = os.stat(path)
        except OSError as error:
            denied = denied or error.errno == errno.EACCES
            continue
        if facts.st_mode & 0o170000 == 0o040000 or not os.access(path, os.X_OK):
            denied = True
            continue
        return path
    number = errno.EACCES if denied else errno.ENOENT
    raise OSError(number, os.strerror(number), program)


def execute_child(
    self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, startupinfo, creationflags, shell,
    p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite,
    restore_signals, gid, gids, uid, umask, start_new_session, process_group,
):
    """`Popen._execute_child`."""
    if isinstance(args, (str, bytes)):
        args = [args]
    elif isinstance(args, os.PathLike):
        if shell:
            raise TypeError("path-like args is not allowed when shell is true")
        args = [args]
    else:
        args = list(args)
    if preexec_fn in (os.setsid, os.setpgrp):
        process_group = 0
    elif preexec_fn is not None:
        raise refused(errno.ENOTSUP, _NO_PREEXEC)
    _check_user(uid, gid, gids)
    if shell:
        args = ["/bin/sh", "-c", *args]
        if executable:
            args[0] = executable
    if executable is None:
        executable = args[0]
    sys.audit("subprocess.Popen", executable, args, cwd, env)

    directory = posix.getcwd()
    if cwd is not None:
        directory = _directory(directory, cwd)
    original = executable
    # CPython looks the program up after it has entered `cwd`: a relative path with a slash is relative to that directory.
    name = os.fsdecode(executable)
    if os.path.dirname(name) and not os.path.isabs(name):
        path = os.path.join(directory, name)
        if cwd is None or os.path.exists(path):
            executable = path
    try:
        path = _search(executable, env)
    except OSError as error:
        raise os_error_like(error, original) from None
    numbers = processes.standard()
    for wanted, number in ((0, p2cread), (1, c2pwrite), (2, errwrite)):
        if number != -1:
            numbers[wanted] = number
    if not close_fds:
        numbers = {**replacing.kept(), **numbers}
    for number in pass_fds:
        numbers[int(number)] = int(number)
    attributes = None
    if start_new_session or process_group >= 0 or umask >= 0:
        group = 0 if start_new_session else process_group if process_group >= 0 else None
        attributes = Attributes(None, umask & 0o777 if umask >= 0 else None, group)
    quiet_pipes = not restore_signals and signals.getsignal(signals.SIGPIPE) == signals.SIG_IGN
    self.pid = processes.start(
        os.path.join(directory, path),
        [os.fsencode(argument) for argument in args],
        processes.environment_block(env),
        directory,
        numbers,
        report_as=original,
        attributes=attributes,
        quiet_pipes=quiet_pipes,
    )
    self._child_created = True
    self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)


_NO_PREEXEC = (
    "preexec_fn needs fork, which a wisp process does not have; use cwd=, env=, umask=, process_group=, start_new_session=, "
    "pass_fds=, or a shell that prepares what is needed and ends in `exec`"
)


def _check_user(uid, gid, gids):
    """`user=`, `group=`, `extra_groups=`: there is one user, and only root may become another one."""
    others = {number for number in (uid, gid) if number not in (None, identity.USER)}
    if others or gids is not None:
        raise PermissionError(errno.EPERM, f"{os.strerror(errno.EPERM)}: the sandbox has one user, {identity.USER}")


def _directory(present, cwd):
    """The absolute path of a working directory that exists."""
    path = os.path.normpath(os.path.join(present, os.fsdecode(cwd)))
    try:
        facts = os.stat(path)
    except OSError as error:
        raise os_error_like(error, cwd) from None
    if facts.st_mode & 0o170000 != 0o040000:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), cwd)
    return path


def os_error_like(error, path):
    """The same failure, for another path."""
    return OSError(error.errno, os.strerror(error.errno), path)


def wait_timed(self, timeout):
    """`Popen._wait`, which waits on the host instead of polling."""
    if timeout is not None and self.returncode is None:
        if not processes.wait_until_ended(self.pid, timeout):
            raise subprocess.TimeoutExpired(self.args, timeout)
    return _standard_wait(self, None)


def get_devnull(self):
    """`Popen._get_devnull`, on a descriptor of the host."""
    if not hasattr(self, "_devnull"):
        descriptors.hold_root()
        how = files.OpenFlags.READ | files.OpenFlags.WRITE
        self._devnull = descriptors.install(call(files.open, os.devnull, how, 0, path=os.devnull))
    return self._devnull


_standard_wait = subprocess.Popen._wait


def install():
    """Wire `subprocess` to the host."""
    subprocess._can_fork_exec = True
    subprocess._PopenSelector = HostSelector
    # The amount that `communicate` writes at once. `os.write` takes what fits, so this need not be small.
    subprocess._PIPE_BUF = 1 << 16
    safe = subprocess._del_safe
    for name in ("waitpid", "waitstatus_to_exitcode", "WIFSTOPPED", "WSTOPSIG", "WNOHANG"):
        value = getattr(wait_status, name, None) or getattr(processes, name)
        setattr(safe, name, staticmethod(value) if callable(value) else value)
    execute_child.__name__ = "_execute_child"
    subprocess.Popen._execute_child = execute_child
    subprocess.Popen._wait = wait_timed
    subprocess.Popen._get_devnull = get_devnull
