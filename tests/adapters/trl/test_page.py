"""What the page about the adapter shows, with a model whose answers are written down."""

from test_training import solve

import _page
from kit import stands_in


def test_the_page(tmp_path):
    _page.run("trl", {"GRPOTrainer": stands_in(solve, tmp_path)}, {"from trl import GRPOTrainer\n": ""})
