"""Imports our `ssl` in place of the standard library's, which would be found first. Import this before any module that
imports `ssl`: `http.client` and asyncio do."""

import importlib.util
import os
import sys


def _load(name):
    place = os.path.join(os.path.dirname(os.path.dirname(__file__)), f"{name}.py")
    specification = importlib.util.spec_from_file_location(name, place)
    sys.modules[name] = module = importlib.util.module_from_spec(specification)
    specification._initializing = True  # `modules.record` reads it
    specification.loader.exec_module(module)
    specification._initializing = False


_load("ssl")
