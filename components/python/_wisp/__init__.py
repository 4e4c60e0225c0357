"""The part of wisp's `python3` written in Python: what CPython's `main` does, and what its WASI build lacks.

One concern a file. `start` is where a process begins; `install` puts the replacements below into the standard
library before the snapshot is taken, so that a started process pays nothing for them.
"""
