"""`hashlib.pbkdf2_hmac`, which CPython only has with OpenSSL."""

import hashlib
import hmac


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """Password based key derivation function 2 (PKCS #5 v2.0, RFC 8018), with HMAC as pseudorandom function."""
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    size = hashlib.new(hash_name).digest_size
    length = size if dklen is None else dklen
    if length < 1:
        raise ValueError("key length must be greater than 0.")
    keyed = hmac.new(bytes(password), digestmod=hash_name)
    blocks = []
    for index in range(1, -(-length // size) + 1):
        step = keyed.copy()
        step.update(bytes(salt) + index.to_bytes(4, "big"))
        digest = step.digest()
        total = int.from_bytes(digest, "big")
        for _ in range(iterations - 1):
            step = keyed.copy()
            step.update(digest)
            digest = step.digest()
            total ^= int.from_bytes(digest, "big")
        blocks.append(total.to_bytes(size, "big"))
    return b"".join(blocks)[:length]


def install():
    """Put it into `hashlib` if it is missing."""
    if not hasattr(hashlib, "pbkdf2_hmac"):
        hashlib.pbkdf2_hmac = pbkdf2_hmac
        hashlib.__all__ = (*hashlib.__all__, "pbkdf2_hmac")
