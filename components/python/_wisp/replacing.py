"""Replacing this process by another program, and starting one without `subprocess`: `os.execve`, `os.posix_spawn`,
`os.spawnv`."""

import errno
import os
import posix

from wit_world.imports import files, process
from wit_world.imports.process import Attributes

from . import descriptors, processes, signals, spelling
from .errors import call, os_error, refused

P_WAIT, P_NOWAIT = 0, 1
POSIX_SPAWN_OPEN, POSIX_SPAWN_CLOSE, POSIX_SPAWN_DUP2 = 0, 1, 2


def kept():
    """The descriptors that a new program in this process gets too: the standard ones and those that are inheritable."""
    numbers = processes.standard()
    for number in sorted(descriptors.inheritable):
        try:
            handle, ours = descriptors.handle_of(number)
        except OSError:
            descriptors.inheritable.discard(number)  # the C library closed it
            continue
        numbers[number] = number
        if ours:
            descriptors.drop(handle)
    return numbers


def _arguments(arguments, name):
    """The arguments of a program, as bytes; messages call them `name`."""
    if not isinstance(arguments, (tuple, list)):
        raise TypeError(f"{name} must be a tuple or list")
    if not arguments:
        raise ValueError(f"{name} must not be empty")
    if not arguments[0]:
        raise ValueError(f"{name} first element cannot be empty")
    return [os.fsencode(argument) for argument in arguments]


def _where(path):
    """The absolute path of a program."""
    return os.path.join(posix.getcwd(), os.fsdecode(path))


def execve(path, argv, env):
    """`os.execve`. The contents of Python's stream buffers are lost, as everywhere."""
    arguments = _arguments(argv, "execve: argv")
    _replace(path, arguments, env)


def execv(path, argv, /):
    """`os.execv`."""
    _replace(path, _arguments(argv, "execv() arg 2"), None)


def _replace(path, arguments, environment):
    if isinstance(path, int):
        raise refused(errno.ENOTSUP, "wisp starts programs by path, not by descriptor")
    block = processes.environment_block(environment)
    ignores_pipe = signals.getsignal(signals.SIGPIPE) == signals.SIG_IGN
    command = processes.Command(_where(path), arguments, block, posix.getcwd(), kept(), ignores_pipe)
    code = process.exec(command.host)
    command.drop()
    if code == files.ErrorCode.UNSUPPORTED:
        raise refused(errno.ENOTSUP, "an interpreter that goes on after this cell cannot become another program; use subprocess")
    raise os_error(code)


def posix_spawn(
    path, argv, env, /, *, file_actions=(), setpgroup=None, resetids=False, setsid=False, setsigmask=(), setsigdef=(), scheduler=None
):
    """`os.posix_spawn`."""
    arguments = _arguments(argv, "posix_spawn: argv")
    if scheduler is not None or setsigmask:
        raise refused(errno.ENOTSUP, "wisp has no priorities, and children start with no signal blocked")
    numbers, opened = kept(), []
    ignored = None
    for number in setsigdef:
        ignored = (process.ignored_signals() if ignored is None else ignored) & ~signals.bit(number)
    quiet = signals.getsignal(signals.SIGPIPE) == signals.SIG_IGN and signals.SIGPIPE not in setsigdef
    try:
        for action, *operands in file_actions or ():
            if action == POSIX_SPAWN_CLOSE:
                numbers.pop(operands[0], None)
            elif action == POSIX_SPAWN_DUP2:
                numbers[operands[1]] = numbers.get(operands[0], operands[0])
            elif action == POSIX_SPAWN_OPEN:
                number, name, flags, mode = operands
                opened.append(_open(name, flags, mode))
                numbers[number] = opened[-1]
            else:
                raise TypeError("Unknown file_actions identifier")
        attributes = Attributes(ignored, None, 0 if setsid else setpgroup)
        return processes.start(_where(path), arguments, processes.environment_block(env), posix.getcwd(), numbers, path, attributes, quiet)
    finally:
        for number in opened:
            descriptors.forget(number)


def _open(path, flags, mode):
    """Open a file through the host; return its number."""
    how = files.OpenFlags(0)
    access = flags & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
    if access in (os.O_RDONLY, os.O_RDWR):
        how |= files.OpenFlags.READ
    if access in (os.O_WRONLY, os.O_RDWR):
        how |= files.OpenFlags.WRITE
    for flag, meaning in (
        (os.O_APPEND, files.OpenFlags.APPEND),
        (os.O_CREAT, files.OpenFlags.CREATE),
        (os.O_EXCL, files.OpenFlags.EXCLUSIVE),
        (os.O_TRUNC, files.OpenFlags.TRUNCATE),
    ):
        if flags & flag:
            how |= meaning
    return descriptors.install(call(files.open, spelling.spell(_where(path)), how, mode, path=path))


def posix_spawnp(path, argv, env, /, **options):
    """`os.posix_spawnp`."""
    if os.path.dirname(os.fspath(path)):
        return posix_spawn(path, argv, env, **options)
    missing = None
    for directory in os.get_exec_path():
        try:
            return posix_spawn(os.path.join(directory, os.fsdecode(path)), argv, env, **options)
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
            missing = error if missing is None or isinstance(error, PermissionError) else missing
    raise OSError(missing.errno, missing.strerror, path) from None


def _spawn(mode, file, args, env, starter):
    """`os.spawn*`: a program that does not exist is a child that ended with 127, as after fork and exec."""
    _arguments(args, "argv")
    if mode not in (P_WAIT, P_NOWAIT):
        raise ValueError("wisp's spawn knows os.P_WAIT and os.P_NOWAIT")
    try:
        pid = starter(file, args, os.environ if env is None else env)
    except OSError:
        pid = posix_spawn("/bin/sh", ["sh", "-c", "exit 127"], os.environ)
    return pid if mode == P_NOWAIT else os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def spawnv(mode, file, args):
    """`os.spawnv`."""
    return _spawn(mode, file, args, None, posix_spawn)


def spawnve(mode, file, args, env):
    """`os.spawnve`."""
    return _spawn(mode, file, args, env, posix_spawn)


def spawnvp(mode, file, args):
    """`os.spawnvp`."""
    return _spawn(mode, file, args, None, posix_spawnp)


def spawnvpe(mode, file, args, env):
    """`os.spawnvpe`."""
    return _spawn(mode, file, args, env, posix_spawnp)


def spawnl(mode, file, *args):
    """`os.spawnl`."""
    return spawnv(mode, file, args)


def spawnle(mode, file, *args):
    """`os.spawnle`."""
    return spawnve(mode, file, args[:-1], args[-1])


def spawnlp(mode, file, *args):
    """`os.spawnlp`."""
    return spawnvp(mode, file, args)


def spawnlpe(mode, file, *args):
    """`os.spawnlpe`."""
    return spawnvpe(mode, file, args[:-1], args[-1])


def install():
    """Put these functions into `os`."""
    names = """execve execv posix_spawn posix_spawnp spawnv spawnve spawnvp spawnvpe spawnl spawnle spawnlp spawnlpe
    P_WAIT P_NOWAIT POSIX_SPAWN_OPEN POSIX_SPAWN_CLOSE POSIX_SPAWN_DUP2"""
    for name in names.split():
        setattr(os, name, globals()[name])
    os.P_NOWAITO = P_NOWAIT
