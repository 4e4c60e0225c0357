"""The command line of `python3`, parsed as CPython parses it. Pure: no host calls, no side effects."""

from dataclasses import dataclass, field

USAGE = "usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ..."

HELP = USAGE + """
Options (and corresponding environment variables):
-B     : don't write .pyc files on import; also PYTHONDONTWRITEBYTECODE=x
-c cmd : program passed in as string (terminates option list)
-E     : ignore PYTHON* environment variables (such as PYTHONPATH)
-h     : print this help message and exit (also -? or --help)
-i     : inspect interactively after running script; forces a prompt even
         if stdin does not appear to be a terminal; also PYTHONINSPECT=x
-I     : isolate Python from the user's environment (implies -E -P and -s)
-m mod : run library module as a script (terminates option list)
-O     : remove assert and __debug__-dependent statements; also PYTHONOPTIMIZE=x
-OO    : do -O changes and also discard docstrings
-P     : don't prepend a potentially unsafe path to sys.path; also PYTHONSAFEPATH
-q     : don't print version and copyright messages on interactive startup
-s     : don't add user site directory to sys.path; also PYTHONNOUSERSITE=x
-S     : don't imply 'import site' on initialization
-u     : force the stdout and stderr streams to be unbuffered;
         this option has no effect on stdin; also PYTHONUNBUFFERED=x
-v -d -b -R -x : accepted
-V     : print the Python version number and exit (also --version)
         when given twice, print more information about the build
-W arg : warning control; arg is action:message:category:module:lineno
         also PYTHONWARNINGS=arg
-X opt : set implementation-specific option
file   : program read from script file
-      : program read from stdin (default; interactive mode if a tty)
arg ...: arguments passed to program in sys.argv[1:]

This is CPython for WebAssembly inside a wisp sandbox: threads in turns, no fork, no network
unless the session's policy grants it. `import wisp; help(wisp)` tells what the session offers.
"""

_FLAGS = {
    "b": "bytes_warning",
    "d": "debug",
    "i": "inspect",
    "q": "quiet",
    "v": "verbose",
    "O": "optimize",
    "B": "dont_write_bytecode",
    "E": "ignore_environment",
    "I": "isolated",
    "P": "safe_path",
    "s": "no_user_site",
    "S": "no_site",
    "u": "unbuffered",
    "R": "hash_randomization",
    "x": "skip_first_line",
}


class UsageError(Exception):
    """The command line is invalid; `python3` prints the message before its usage line."""


@dataclass
class Options:
    """What the command line asks for. `mode` is `command`, `module`, `file`, `stdin`, `version` or `help`."""

    mode: str = "stdin"
    #: The code, module name or file name of the mode.
    target: str = ""
    #: `sys.argv`; its first element is the one that CPython puts there before the program starts.
    argv: list = field(default_factory=lambda: [""])
    #: How often `-V` was given.
    version: int = 0
    #: `-` was given, so standard input is not treated as interactive.
    explicit_stdin: bool = False
    warnings: list = field(default_factory=list)
    implementation: dict = field(default_factory=dict)
    #: How often each flag was given, by the names of `sys.flags`.
    flags: dict = field(default_factory=lambda: dict.fromkeys(_FLAGS.values(), 0))

    def isolate(self):
        """Apply what `-I` implies."""
        if self.flags["isolated"]:
            for name in ("ignore_environment", "safe_path", "no_user_site"):
                self.flags[name] = max(1, self.flags[name])


def parse(arguments):
    """Parse `arguments` (without the program's name)."""
    options = Options()
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "-":
            options.explicit_stdin = True
            options.argv = ["-", *rest]
            break
        if not argument.startswith("-"):
            options.mode, options.target, options.argv = "file", argument, [argument, *rest]
            break
        if argument == "--":
            if rest:
                options.mode, options.target, options.argv = "file", rest[0], rest
            break
        if argument.startswith("--"):
            _long(options, argument, rest)
        elif _short(options, argument[1:], rest):
            break
    if options.version and options.mode != "help":
        options.mode = "version"
    options.isolate()
    return options


def _long(options, argument, rest):
    """Parse a long option."""
    if argument == "--help":
        options.mode = "help"
    elif argument in ("--help-env", "--help-xoptions", "--help-all"):
        options.mode = "help"
    elif argument == "--version":
        options.version += 1
    elif argument == "--check-hash-based-pycs":
        if not rest:
            raise UsageError(f"Argument expected for the {argument} option")
        rest.pop(0)
    else:
        raise UsageError(f"unknown option {argument}")


def _short(options, letters, rest):
    """Parse a cluster of short options; return True if it ended the option list (`-c`, `-m`)."""
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter in "cmWX":
            if letters:
                value = letters
            elif rest:
                value = rest.pop(0)
            else:
                raise UsageError(f"Argument expected for the -{letter} option")
            if letter == "c":
                options.mode, options.target, options.argv = "command", value, ["-c", *rest]
                return True
            if letter == "m":
                options.mode, options.target, options.argv = "module", value, ["-m", *rest]
                return True
            if letter == "W":
                options.warnings.append(value)
            else:
                name, equals, setting = value.partition("=")
                options.implementation[name] = setting if equals else True
            return False
        if letter in "h?":
            options.mode = "help"
            return True
        if letter == "V":
            options.version += 1
        elif letter in _FLAGS:
            options.flags[_FLAGS[letter]] += 1
        else:
            raise UsageError(f"Unknown option: -{letter}")
    return False
