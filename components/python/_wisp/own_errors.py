"""Puts Linux's errors in place of WASI's. Import this before any module that imports `errno`."""

from . import linux_errors

linux_errors.install()
