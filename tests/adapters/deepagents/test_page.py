"""The page of the guide."""

from _model import ScriptedModel

import _page


def test_the_page():
    steps = [("execute", {"command": "sort /mnt/data/fruit.txt | uniq -c | sort -rn > report.txt"}), "pear is most frequent"]
    _page.run("deepagents", names={"MODEL": ScriptedModel(steps=steps)}, replace={'"anthropic:claude-sonnet-5"': "MODEL"})
