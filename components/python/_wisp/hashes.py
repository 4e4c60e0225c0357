"""`hashlib.pbkdf2_hmac` and `hashlib.scrypt`, which CPython only has with OpenSSL."""

import hashlib
import hmac

from . import codecs


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


def scrypt(password, *, salt, n, r, p, maxmem=0, dklen=64):
    """scrypt password-based key derivation function (RFC 7914)."""
    if n < 2 or n & n - 1:
        raise ValueError("n must be a power of 2")
    if r < 1 or p < 1 or r * p >= 1 << 30:
        raise ValueError("Invalid parameter combination for n, r, p and maxmem.")
    if maxmem < 0:
        raise ValueError(f"maxmem must be positive and smaller than {(1 << 31) - 1}")
    if dklen < 1:
        raise ValueError(f"dklen must be greater than 0 and smaller than {(1 << 31) - 1}")
    if 128 * r * (n + p + 2) > (maxmem or 32 << 20):  # what OpenSSL allows without `maxmem`
        raise ValueError("memory limit exceeded")
    blocks = pbkdf2_hmac("sha256", password, salt, 1, 128 * r * p)
    mixed = codecs.result(codecs._wisp_codecs.mix(blocks, n, r), ValueError)
    return pbkdf2_hmac("sha256", password, mixed, 1, dklen)


def install():
    """Put them into `hashlib` if they are missing."""
    for function in (pbkdf2_hmac, scrypt):
        if not hasattr(hashlib, function.__name__):
            setattr(hashlib, function.__name__, function)
            hashlib.__all__ = (*hashlib.__all__, function.__name__)
