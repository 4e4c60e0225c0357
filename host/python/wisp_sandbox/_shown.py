"""How what code of a sandbox made is shown on a terminal and in a notebook: so that nothing of it acts there."""

import base64
import re

# Control characters except line breaks and tabs, marks of writing direction, and half of a surrogate pair, which is no text.
_ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# What begins a line or a block of HTML, and what is high.
_LINE = re.compile(r"<(?:tr|li|p|br|h[1-6]|div|pre|dt|dd)\b|\n", re.IGNORECASE)
_HIGH = re.compile(r"<(?:img|svg|video|math|canvas|iframe|object)\b", re.IGNORECASE)
_LINE_PIXELS, _MOST_PIXELS = 24, 480
# Nothing is loaded: an address that the sandbox chose would tell its owner what the sandbox has.
_LOADS = "default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline'"
_HEAD = f'<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_LOADS}">'


def plain(text: str) -> str:
    """Returns text in which everything is escaped that a terminal would act on."""
    return _ACTS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def framed(html: str) -> str:
    """Returns a frame with HTML in it, which runs no scripts, knows nothing of the page around it, and loads nothing."""
    pixels = _MOST_PIXELS if _HIGH.search(html) else min((2 + len(_LINE.findall(html))) * _LINE_PIXELS, _MOST_PIXELS)
    style = "border: 0; background: white; resize: vertical"
    return f'<iframe sandbox srcdoc="{_escaped(_HEAD + html)}" width="100%" height="{pixels}" style="{style}"></iframe>'


def pictured(svg: str) -> str:
    """Returns SVG as a picture: as that, it runs no scripts and loads nothing."""
    if "xmlns=" not in svg:
        # Within HTML it needs none.
        svg = svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    data = base64.b64encode(svg.encode("utf-8", "replace")).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="SVG">'


def written(text: str) -> str:
    """Returns text as HTML shows it."""
    return f'<pre style="white-space: pre-wrap">{_escaped(text)}</pre>'


def _escaped(text: str) -> str:
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, name)
    return text
