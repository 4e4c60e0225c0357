"""What the page about the adapter shows, with a model whose answers are written down."""

from test_executor import Script

import _page


def test_the_page():
    model = Script("rows = open('/mnt/data/fruit.txt').read().split()\nmax(rows, key=rows.count)", "final_answer(max(rows, key=rows.count))")
    _page.run("smolagents", {"InferenceClientModel": lambda: model}, {"import CodeAgent, InferenceClientModel": "import CodeAgent"})
