"""Sorting numbers, strings and objects."""

import random

numbers = random.Random(7)
FLOATS = [numbers.random() for _ in range(5_000)]
WORDS = [f"{numbers.getrandbits(40):x}" for _ in range(5_000)]
PAIRS = [{"key": numbers.getrandbits(20), "word": word} for word in WORDS[:3_000]]


def work():
    sorted(FLOATS)
    sorted(WORDS)
    sorted(WORDS, key=len, reverse=True)
    return sorted(PAIRS, key=lambda pair: (pair["key"] % 100, pair["word"]))
