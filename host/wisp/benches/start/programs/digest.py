"""Digests of blocks."""

import hashlib

BLOCK = bytes(range(256)) * 256


def work():
    digest = hashlib.sha256()
    for _ in range(16):
        digest.update(BLOCK)
    return digest.hexdigest()
