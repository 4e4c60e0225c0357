"""Puts every replacement into the standard library, once, before the snapshot."""

import os
import sys
import time
import types

from . import (
    databases,
    event_loop,
    file_objects,
    filesystem,
    full_disk,
    hashes,
    identity,
    locks,
    mends,
    os_descriptors,
    packages,
    popen,
    process_groups,
    processes,
    refusals,
    replacing,
    select_module,
    signal_module,
    terminals,
    tracebacks,
    wait_status,
    web_clients,
    zones,
)


def install():
    """Install them all."""
    mends.install()
    os_descriptors.install()
    file_objects.install()
    terminals.install()
    filesystem.install()
    processes.install()
    wait_status.install()
    replacing.install()
    process_groups.install()
    signal_module.install()
    select_module.install()
    locks.install()
    full_disk.install()
    identity.install()
    packages.install()
    popen.install()
    event_loop.install()
    hashes.install()
    zones.install()
    refusals.install()
    tracebacks.install()
    databases.install()
    web_clients.install()
    for module in (os, time, sys.modules["shutil"], sys.modules["signal"], sys.modules["select"]):
        _belong(module)


def _belong(module):
    """Let our functions in a module be the module's, so that they can be pickled: programs have other processes sleep."""
    for name, value in vars(module).items():
        if type(value) is types.FunctionType and value.__name__ == name and value.__module__.startswith("_wisp."):
            value.__module__ = module.__name__
