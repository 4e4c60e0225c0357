"""What the page about the adapter shows."""

import _page


def test_the_page():
    _page.run("nemo_gym")
