"""Runs what a page of the guide about an adapter shows: `run("deepagents")` in `test_page.py`."""

import contextlib
import io
import os
import re
import tempfile
from pathlib import Path

from wisp_sandbox import Policy

PAGES = Path(__file__).resolve().parents[2] / "docs" / "src" / "adapters"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(name, names=None, replace=None):
    """Runs the blocks of `python` of a page from top to bottom, in one namespace and a folder of their own: returns that namespace.

    What a block prints stands below it, in a block of `text`. `names`: what the namespace begins with. `replace`: texts in place of others,
    such as the name of a model by that of a script; each must be there. A block of `toml` is a policy, and one of `sh` installs the package.
    """
    page = (PAGES / f"{name}.md").read_text()
    for old, new in (replace or {}).items():
        assert old in page, f"{name}.md has no `{old}`"
        page = page.replace(old, new)
    namespace, printed, ran = {"__name__": "page", **(names or {})}, "", 0
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for language, text in BLOCK.findall(page):
                if language == "python":
                    assert printed == "", f"{name}.md: what a block prints stands below it: {printed!r}"
                    out = io.StringIO()
                    with contextlib.redirect_stdout(out):
                        exec(compile(text, f"{name}.md", "exec"), namespace)
                    printed, ran = out.getvalue(), ran + 1
                elif language == "text":
                    assert printed == text, f"{name}.md: a block prints {printed!r}, and the page says {text!r}"
                    printed = ""
                elif language == "toml":
                    Policy.parse(text)
                else:
                    assert language == "sh", f"{name}.md: nothing runs a block of `{language}`"
                    assert re.fullmatch(r'(pip install "wisp-sandbox\[[a-z-]+\]".*\n)+', text), f"{name}.md: `sh` is for `pip install` only: {text!r}"
        finally:
            os.chdir(before)
    assert printed == "" and ran > 0, f"{name}.md: {ran} blocks ran, and {printed!r} stands nowhere"
    return namespace
