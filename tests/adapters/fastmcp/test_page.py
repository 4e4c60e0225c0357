"""The page of the guide."""

import _page


def test_the_page():
    _page.run("fastmcp")
