"""The page of the guide."""

from test_agent import model

import _page


def test_the_page():
    steps = [("bash", {"script": "sort fruit.txt | uniq -c | sort -rn > report.txt"}), "pear is most frequent"]
    _page.run("pydantic_ai", names={"MODEL": model(*steps)}, replace={'"anthropic:claude-sonnet-5"': "MODEL"})
