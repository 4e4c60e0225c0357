"""What the page about the adapter shows, with a model whose answers are written down."""

from script import Script

import _page


def test_the_page():
    model = Script(("sandbox_shell", {"command": "sort /mnt/data/fruit.txt | uniq -c | sort -nr | head -1"}), "It is pear.")
    _page.run("strands", {"model": model}, {'model="us.anthropic.claude-sonnet-5"': "model=model"})
