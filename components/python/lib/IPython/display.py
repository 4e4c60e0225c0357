"""`display` and objects to show, under IPython's names. `import wisp` has the same `display`, and shows any object that has
`_repr_html_`, `_repr_png_` and so on. What a front end would have to run or load (Audio, Video, IFrame) is not here.
"""

import html
import json
import os

from wisp import DisplayHandle, clear_output, display, update_display

__all__ = [
    "HTML", "JSON", "SVG", "DisplayHandle", "DisplayObject", "Image", "Javascript", "Latex", "Markdown", "Math",
    "Pretty", "TextDisplayObject", "clear_output", "display", "display_html", "display_markdown", "update_display",
]  # fmt: skip


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise ImportError(f"cannot import name {name!r} from 'IPython.display': wisp has {', '.join(__all__)}", name=__name__)


class DisplayObject:
    """Data that is shown in one form: given as it is, or read from a file or a URL."""

    _mode = "r"

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if data is not None and not isinstance(data, str if self._mode == "r" else (bytes, str)):
            raise TypeError(f"{type(self).__name__} expects {'text' if self._mode == 'r' else 'bytes'}, not {data!r}")
        self.data, self.url, self.filename, self.metadata = data, url, None if filename is None else os.fspath(filename), metadata
        if data is None:
            self.reload()

    def reload(self):
        """Read the data again."""
        if self.filename is not None:
            with open(self.filename, self._mode) as file:
                self.data = file.read()
        elif self.url is not None:
            from urllib.request import urlopen

            with urlopen(self.url) as answer:
                data = answer.read()
                self.data = data if self._mode == "rb" else data.decode(answer.headers.get_content_charset("utf-8"))

    def __repr__(self):
        return f"<IPython.core.display.{type(self).__name__} object>"


class TextDisplayObject(DisplayObject):
    """Data that is text."""


class Pretty(TextDisplayObject):
    """Plain text."""

    def __repr__(self):
        return self.data


class HTML(TextDisplayObject):
    """HTML."""

    def _repr_html_(self):
        return self.data

    def __html__(self):
        return self.data


class Markdown(TextDisplayObject):
    """Markdown."""

    def _repr_markdown_(self):
        return self.data


class Latex(TextDisplayObject):
    """LaTeX."""

    def _repr_latex_(self):
        return self.data


class Math(TextDisplayObject):
    """LaTeX in mathematical mode."""

    def _repr_latex_(self):
        return f"$\\displaystyle {self.data.strip('$')}$"


class SVG(DisplayObject):
    """An image as SVG."""

    def _repr_svg_(self):
        return self.data


class Javascript(TextDisplayObject):
    """A program for the front end, which may refuse to run it."""

    def _repr_javascript_(self):
        return self.data


class JSON(DisplayObject):
    """Data that JSON can hold, or JSON as text."""

    def __init__(self, data=None, url=None, filename=None, expanded=False, metadata=None, root="root", **options):
        text = data is None or isinstance(data, str)
        super().__init__(data if text else None, url, filename, metadata)
        if not text:
            self.data = data
        elif self.data is not None:
            self.data = json.loads(self.data)

    def _repr_json_(self):
        return self.data


#: How the data of images begins, and their media types.
_IMAGES = {
    b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp", b"BM": "image/bmp",
}  # fmt: skip


class Image(DisplayObject):
    """An image: its bytes, a file, or a URL. A URL is left to the front end to load unless `embed` is true."""

    _mode = "rb"

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None, height=None, retina=False,
                 unconfined=False, metadata=None, alt=None):  # fmt: skip
        if isinstance(data, os.PathLike):
            data = os.fspath(data)
        if isinstance(data, str):
            if data.startswith(("http:", "https:")):
                data, url = None, data
            else:
                data, filename = None, data
        self.format, self.width, self.height, self.alt = format, width, height, alt
        self.embed = url is None if embed is None else embed
        super().__init__(data, url, filename, metadata)
        if self.data is None and self.url is None:
            raise ValueError("no image data found: expecting a filename, a URL, or bytes")

    def reload(self):
        """Read the data again, unless the front end is to load it."""
        if self.embed or self.filename is not None:
            super().reload()

    def _repr_mimebundle_(self, include=None, exclude=None):
        if not self.embed:
            facts = {"src": self.url, "width": self.width, "height": self.height, "alt": self.alt}
            given = "".join(f' {name}="{html.escape(str(fact))}"' for name, fact in facts.items() if fact is not None)
            return {"text/html": f"<img{given}/>"}
        kind = next((kind for start, kind in _IMAGES.items() if self.data.startswith(start)), None)
        if self.format is not None:
            kind = f"image/{self.format.lower().replace('jpg', 'jpeg')}"
        if kind is None:
            raise ValueError("the format of the image is unknown: give it as format=")
        return {kind: self.data}


def display_html(*objects, raw=False, **options):
    """Show objects as HTML; with `raw`, they are HTML as text."""
    display(*(HTML(found) for found in objects) if raw else objects, **options)


def display_markdown(*objects, raw=False, **options):
    """Show objects as Markdown; with `raw`, they are Markdown as text."""
    display(*(Markdown(found) for found in objects) if raw else objects, **options)
