"""What the page about the adapter shows, with a model whose answers are written down."""

from script import Script
from test_agent import block

import _page


def test_the_page():
    code = "rows = open('/mnt/data/fruit.txt').read().split()\nmax(rows, key=rows.count)"
    model = Script(block(code), "It is pear.")
    _page.run("google_adk", {"model": model}, {'model="gemini-3-flash"': "model=model"})
