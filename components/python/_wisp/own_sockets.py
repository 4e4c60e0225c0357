"""Puts our sockets in place of the C library's. Import this before any module that imports `socket`: ours of `ssl` does."""

from . import sockets

sockets.install()
