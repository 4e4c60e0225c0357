"""What the page about the adapter shows, with a model whose answers are written down."""

from test_interpreter import script

import _page


def test_the_page():
    lm = script({"code": "print(rows[:2])"}, {"code": "SUBMIT(max(rows, key=lambda row: price(fruit=row)))"})
    _page.run("dspy", {"lm": lm}, {'dspy.LM("openai/gpt-5.6")': "lm"})
