"""The part of wisp's `python3` that is written in Python: what CPython's `main` does, and what its WASI build lacks.

Each file has one concern. A process begins in `start`; `install` puts the replacements below into the standard library
before the snapshot is taken, so that a new process pays nothing for them.
"""
