"""Puts our locks in place of CPython's. Import this before any module that makes a lock."""

from . import locks

locks.install_first()
