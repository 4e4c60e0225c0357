"""Editing of lines with history and completion, by the editor of CPython's own interactive interpreter (`_pyrepl`).

Once it is imported, `input()` edits lines at a terminal that has settings (`termios`). At any other standard input it reads
as before. Init files are accepted and have no effect, except that nothing but `tab: complete` can be bound.
"""

import sys as _sys

# The editor imports `rlcompleter`, which looks for functions of this module: they are not there yet.
_this = _sys.modules[__name__]
_sys.modules[__name__] = None
try:
    import rlcompleter as _rlcompleter  # noqa: F401
finally:
    _sys.modules[__name__] = _this

import _pyrepl.readline as _editor  # noqa: E402
from _pyrepl.console import Console as _AnyConsole  # noqa: E402
from _pyrepl.readline import (  # noqa: E402, F401
    add_history,
    append_history_file,
    clear_history,
    get_begidx,
    get_completer,
    get_completer_delims,
    get_current_history_length,
    get_endidx,
    get_history_item,
    get_history_length,
    get_line_buffer,
    insert_text,
    parse_and_bind,
    read_history_file,
    remove_history_item,
    replace_history_item,
    set_completer,
    set_completer_delims,
    set_history_length,
    set_startup_hook,
    write_history_file,
)

backend = "readline"


def read_init_file(filename=None, /):
    """Do nothing: keys cannot be bound."""


def redisplay():
    """Show the line again."""
    reader = _editor._get_reader()
    reader.dirty = True
    reader.refresh()


def set_auto_history(enabled, /):
    """Whether lines that `input()` reads become history. They always do: False is refused."""
    if not enabled:
        raise NotImplementedError("readline.set_auto_history(False): wisp's readline keeps every line; use remove_history_item")


def set_pre_input_hook(function=None, /):
    """Refused, except for None: the editor calls nothing after the prompt. Use `set_startup_hook`."""
    if function is not None:
        raise NotImplementedError("readline.set_pre_input_hook: wisp's readline has no such hook; use set_startup_hook")


def set_completion_display_matches_hook(function=None, /):
    """Refused, except for None: the editor shows the matches itself."""
    if function is not None:
        raise NotImplementedError("readline.set_completion_display_matches_hook: wisp's readline shows the matches itself")


def get_completion_type():
    """The kind of completion: 9, an ordinary one."""
    return ord("\t")


class _NoTerminal(_editor.Console):
    """What a reader of lines has where there is no terminal: it has the history, and no line is edited."""

    __init__ = _AnyConsole.__init__  # the editor's own asks the terminal

    def refresh(self, *_):
        """Show nothing."""


def _begin():
    """Let `input()` edit lines, if standard input is a terminal at which that is possible."""
    wrapper = _editor._wrapper
    if _can_edit(wrapper):
        _editor._setup(_sys.modules["__main__"].__dict__)
        # Python's names are completed once `rlcompleter` has been imported, as `site` does for the interactive interpreter.
        set_completer(None)
        return
    # The history is kept all the same.
    console = _NoTerminal(wrapper.f_in, wrapper.f_out, encoding=_editor.ENCODING)
    wrapper.reader = _editor.ReadlineAlikeReader(console=console, config=wrapper.config)


def _can_edit(wrapper):
    """Whether standard input is a terminal that has settings and whose kind (`TERM`) can do what the editor needs."""
    import termios

    try:
        termios.tcgetattr(_sys.stdin.fileno())
        _editor.Console(wrapper.f_in, wrapper.f_out, encoding=_editor.ENCODING)
    except (AttributeError, OSError, RuntimeError, ValueError, *_editor._error):
        return False
    return True


def _forget_completer():
    """Let the next import of `rlcompleter` run it, if it has run without this module: it then completes Python's names, as `site`
    has it do for the interactive interpreter."""
    module = _sys.modules.get("rlcompleter")
    if getattr(module, "_readline_available", None) is False:
        del _sys.modules["rlcompleter"]


_begin()
_forget_completer()
