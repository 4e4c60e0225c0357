"""The forms of an object: what notebooks ask of it by `_repr_html_` and its relatives; `display` and its relatives."""

import base64
import binascii
import builtins
import getpass
import json
import sys

from componentize_py_types import Err
from wit_world.imports import frontend

from . import ending, signals

#: The method that makes each form.
_METHODS = {
    "text/html": "_repr_html_",
    "text/markdown": "_repr_markdown_",
    "text/latex": "_repr_latex_",
    "image/svg+xml": "_repr_svg_",
    "image/png": "_repr_png_",
    "image/jpeg": "_repr_jpeg_",
    "application/pdf": "_repr_pdf_",
    "application/json": "_repr_json_",
    "application/javascript": "_repr_javascript_",
}

#: Types that have no such methods, so that the most common values cost nothing.
_PLAIN = frozenset((int, float, complex, bool, str, bytes, list, tuple, dict, set, frozenset, range, type, type(None)))

#: The number in the last id that was made.
_last_id = 0


class DisplayHandle:
    """What `display(…, display_id=True)` returns: replaces what it has shown."""

    def __init__(self, display_id):
        self.display_id = display_id

    def display(self, obj):
        """Show an object under this id."""
        display(obj, display_id=self.display_id)

    def update(self, obj):
        """Show an object in place of what was shown under this id."""
        update_display(obj, display_id=self.display_id)

    def __repr__(self):
        return f"<DisplayHandle display_id={self.display_id!r}>"


def text(found):
    """Text that the host accepts: lone surrogates are escaped."""
    if found.isascii():
        return found
    return found.encode("utf-8", "backslashreplace").decode()


def forms(value):
    """The forms of a value beside plain text: pairs of media type and bytes."""
    kind = type(value)
    if kind in _PLAIN:
        return []
    found = {}
    bundle = _made(kind, value, "_repr_mimebundle_", include=None, exclude=None)
    if isinstance(bundle, tuple):
        bundle = bundle[0]  # the second is about how to show it
    if isinstance(bundle, dict):
        found.update(bundle)
    for media_type, method in _METHODS.items():
        if media_type not in found:
            made = _made(kind, value, method)
            # As with a bundle; JSON may be anything.
            found[media_type] = made[0] if isinstance(made, tuple) and media_type != "application/json" else made
    found.pop("text/plain", None)
    return _encoded(found)


def _made(kind, value, method, **options):
    """What one of the methods returns: None if the type lacks it or it fails, which standard error reports."""
    function = getattr(kind, method, None)
    if function is None:
        return None
    try:
        return function(value, **options)
    except Exception as failure:
        ending.status_of(failure)
        return None


def _encoded(found):
    """A dict from media types to what programs return for them, as the contract wants it."""
    return [(media_type, data) for media_type, made in found.items() if (data := _bytes(media_type, made)) is not None]


def _bytes(media_type, made):
    """The bytes of one form, or None if there is none."""
    if made is None:
        return None
    if isinstance(made, (bytes, bytearray, memoryview)):
        return bytes(made)
    kind = media_type.partition(";")[0]
    if kind == "application/json" or kind.endswith("+json"):
        return text(made if isinstance(made, str) else json.dumps(made)).encode()
    if not isinstance(made, str):
        raise TypeError(f"the form {media_type!r} must be str or bytes, not {type(made).__name__}")
    if kind.startswith("text/") or kind.endswith("+xml") or kind == "application/javascript":
        return text(made).encode()
    try:
        return base64.b64decode(made)
    except binascii.Error as failure:
        raise ValueError(f"the form {media_type!r} must be bytes, or base64 as text: {failure}") from None


def display(*objects, display_id=None, raw=False, clear=False):
    """Show objects, each in the forms that it has: by `_repr_html_`, `_repr_png_` and so on, and as text.

    With `raw`, an object is a dict from media types to data. With `display_id=True` or a name of your own, returns a
    handle that can replace what was shown. In a program that no host evaluates, the text is printed.
    """
    global _last_id
    handle = None
    if display_id is True:
        _last_id += 1
        display_id = f"display-{_last_id}"
    if display_id is not None:
        handle = DisplayHandle(str(display_id))
    if clear:
        clear_output(wait=True)
    for found in objects:
        _show(found, None if handle is None else handle.display_id, False, raw)
    return handle


def update_display(obj, *, display_id, raw=False):
    """Show an object in place of what was shown under this id."""
    _show(obj, str(display_id), True, raw)


def clear_output(wait=False):
    """Remove what this cell has shown and printed; with `wait`, as soon as it shows or prints something else."""
    frontend.clear(bool(wait))


def _show(found, display_id, update, raw):
    if raw:
        plain, rest = found.get("text/plain"), _encoded({name: data for name, data in found.items() if name != "text/plain"})
    else:
        plain, rest = repr(found), forms(found)
    shown = rest if plain is None else [("text/plain", text(plain).encode()), *rest]
    # What was printed before comes before.
    sys.stdout.flush()
    try:
        frontend.show(frontend.Display(shown, display_id, update))
        return
    except Err as failure:
        code = failure.value
    if code == frontend.ShowError.INVALID:
        raise ValueError(
            "display: a media type is not of the form 'type/subtype', a text is not UTF-8, or there are more than 32 forms"
        )
    print(f"<{', '.join(name for name, _ in shown)}>" if plain is None else plain)


def ask(prompt="", /):
    """`input` in a cell: the host program answers."""
    if sys.stdin is not sys.__stdin__:
        return _standard_input(prompt)
    return _answer(prompt, False)


def ask_secret(prompt="Password: ", stream=None, *, echo_char=None):
    """`getpass.getpass` in a cell."""
    return _answer(prompt, True)


def _answer(prompt, hidden):
    sys.stdout.flush()
    try:
        with signals.Listening():
            try:
                return frontend.ask(frontend.Question(text(str(prompt)), hidden))
            finally:
                signals.deliver()
    except Err as failure:
        code = failure.value
    if code == frontend.AskError.UNATTENDED:
        raise EOFError("EOF when reading a line: the host program answers no questions of this code")
    if code == frontend.AskError.INVALID:
        raise ValueError("input: the prompt or the answer is longer than 64 KiB, or limits.memory leaves no room for the answer")
    raise EOFError("EOF when reading a line")


_standard_input, _standard_getpass = input, getpass.getpass


def attend():
    """A host evaluates code here: what is asked goes to it, and `display` is a built-in name as in a notebook."""
    builtins.display, builtins.input, getpass.getpass = display, ask, ask_secret


def leave():
    """No host evaluates here: undo `attend`."""
    vars(builtins).pop("display", None)
    builtins.input, getpass.getpass = _standard_input, _standard_getpass
