"""How results are shown, in a notebook and on a terminal: nothing that the code of a sandbox made acts there."""

import base64
import html.parser
import json
import unittest

from kit import WithSandbox
from wisp_sandbox import Result

SCRIPT = "<script>alert(1)</script>"
# What ends an attribute, an element or a document, and what runs without being a script.
NASTY = f"""</iframe></pre>"></iframe>{SCRIPT}<img src=x onerror='alert(1)'>&quot;&lt;<b title='"'>"""
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">{SCRIPT}</svg>'
ACTS = "\x1b[31m\x07\r\x7f\x9b\u202e\u2066\u200f\u061c\u2028"
# A page can be changed by each of these.
OTHERS = ("application/javascript", "text/javascript", "application/vnd.jupyter.widget-view+json", "application/pdf", "application/xhtml+xml", "text/x-other",
          "application/vnd.plotly.v1+json", "application/geo+json", "video/mp4")


class Page(html.parser.HTMLParser):
    """The elements of some HTML, with their attributes, and its text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


def pieces(result):
    """Everything that IPython may ask of a result."""
    found = dict(result._repr_mimebundle_())
    for name in dir(result):
        if name.startswith("_repr_") and name != "_repr_mimebundle_":
            found[name] = getattr(result, name)()
    return found


class Notebook(unittest.TestCase):
    def test_html_is_in_a_frame_without_scripts(self):
        for text in ("<b>1</b>", NASTY, f"<html><head></head>{NASTY}</html>"):
            bundle = Result({"text/plain": "1", "text/html": text})._repr_mimebundle_()
            self.assertEqual(sorted(bundle), ["text/html", "text/plain"])
            page = Page(bundle["text/html"])
            [(tag, attributes)] = page.elements
            # `sandbox` with nothing in it allows nothing: no scripts, no forms, no links out, not the page's origin.
            self.assertEqual((tag, attributes["sandbox"], page.text), ("iframe", None, ""))
            self.assertLessEqual(set(attributes), {"sandbox", "srcdoc", "width", "height", "style"})
            head = attributes["srcdoc"].removesuffix(text)
            self.assertNotEqual(head, attributes["srcdoc"])
            # Nothing is loaded, which would tell others what the code knows. It stands before all that the code wrote.
            self.assertIn("default-src 'none'", dict(Page(head).elements)["meta"]["content"])
            self.assertNotIn("http", head.replace("http-equiv", ""))

    def test_a_frame_is_as_high_as_it_needs(self):
        heights = [int(Page(Result({"text/html": text})._repr_html_()).elements[0][1]["height"])
                   for text in ("<b>1</b>", "<table>" + "<tr><td>1" * 5, "<tr>" * 10_000, "<img src='data:,'>")]
        self.assertEqual(heights, sorted(heights))
        self.assertTrue(heights[0] < heights[1] < heights[2] == heights[3] < 1000)

    def test_svg_is_a_picture(self):
        for svg in (SVG, SVG.replace(' xmlns="http://www.w3.org/2000/svg"', "")):
            bundle = Result({"image/svg+xml": svg, "text/plain": "1"})._repr_mimebundle_()
            self.assertEqual(sorted(bundle), ["text/html", "text/plain"])
            [(tag, attributes)] = Page(bundle["text/html"]).elements
            self.assertEqual((tag, set(attributes)), ("img", {"src", "alt"}))
            kind, _, data = attributes["src"].partition(";base64,")
            # A picture needs the name of its language.
            self.assertEqual((kind, base64.b64decode(data).decode()), ("data:image/svg+xml", SVG))

    def test_markdown_is_text(self):
        text = f"# title\n[a](javascript:alert(1))\n{NASTY}"
        page = Page(Result({"text/markdown": text})._repr_mimebundle_()["text/html"])
        self.assertEqual(([tag for tag, _ in page.elements], page.text), (["pre"], text))

    def test_nothing_else_is_handed_on(self):
        data = dict.fromkeys((*OTHERS, "text/html", "text/markdown", "image/svg+xml", "text/plain"), SCRIPT)
        picture = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
        harmless = {"image/png": picture, "image/jpeg": picture, "image/gif": picture, "text/latex": "$x$", "application/json": '{"a": 1}'}
        result = Result({**data, **harmless})
        found = pieces(result)
        self.assertEqual(result._repr_mimebundle_(), {**harmless, "application/json": {"a": 1}, "text/plain": SCRIPT, "text/html": found["_repr_html_"]})
        for name, piece in found.items():
            if name != "text/plain":
                self.assertNotIn("<script", str(piece), name)
        for name in ("svg", "markdown", "javascript", "pdf"):
            self.assertFalse(hasattr(result, f"_repr_{name}_"), name)
        # The data is what the code made.
        self.assertEqual((result.html, result.svg, result.markdown, result.data["application/javascript"]), (SCRIPT,) * 4)
        self.assertEqual(Result({"application/javascript": SCRIPT})._repr_mimebundle_(), {})

    def test_json_that_cannot_be_read_is_none(self):
        for text in ("[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, "9" * 100_000, "{", ""):
            result = Result({"application/json": text, "text/plain": "1"})
            self.assertIsNone(result.json)
            self.assertEqual(result._repr_mimebundle_(), {"text/plain": "1"})
        deep = "[" * 50 + "]" * 50
        self.assertEqual(Result({"application/json": deep})._repr_mimebundle_()["application/json"], json.loads(deep))


class Terminal(WithSandbox):
    def plain(self, *texts):
        for text in texts:
            for sign in ACTS:
                if sign not in "[31m":
                    self.assertNotIn(sign, text)

    def test_a_result(self):
        result = Result({"text/plain": f"one\n\t{ACTS}two ä 日本"})
        self.plain(str(result), repr(result), result._repr_mimebundle_()["text/plain"])
        self.assertTrue(str(result).startswith("one\n\t\\x1b[31m\\x07\\r"))
        self.assertTrue(repr(result).endswith("two ä 日本)"))
        self.assertEqual(result.text, f"one\n\t{ACTS}two ä 日本")
        nameless = Result({f"image/{ACTS}": "1"})
        self.plain(str(nameless), repr(nameless))

    def test_an_execution(self):
        code = f"class Red:\n    def __repr__(self): return {ACTS!r}\n"
        shown = self.sandbox.run_code(code + "Red()")
        self.assertEqual((shown.value, shown.text), (ACTS, ACTS))
        failed = self.sandbox.run_code(f"raise ValueError({ACTS!r})")
        self.assertIn(ACTS, failed.error.traceback)
        written = self.sandbox.run_code(f"print({ACTS!r})")
        self.assertIn("\x1b", "".join(written.logs.stdout))
        for execution in (shown, failed, written):
            self.plain(str(execution), repr(execution), execution._repr_mimebundle_()["text/plain"], str(execution.error))

    def test_what_a_sandbox_shows(self):
        shown = self.sandbox.run_code(
            f"class Page:\n    def _repr_mimebundle_(self, **_): return {{'text/html': {NASTY!r}, 'application/javascript': 'alert(1)'}}\nPage()"
        )
        self.assertEqual(shown.results[-1].data["application/javascript"], "alert(1)")
        bundle = shown._repr_mimebundle_()
        self.assertEqual(sorted(bundle), ["text/html", "text/plain"])
        self.assertEqual([tag for tag, _ in Page(bundle["text/html"]).elements], ["iframe"])
