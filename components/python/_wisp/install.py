"""Puts every replacement into the standard library, once, before the snapshot."""

from . import (
    databases,
    event_loop,
    filesystem,
    hashes,
    identity,
    os_descriptors,
    popen,
    processes,
    refusals,
    tracebacks,
    web_clients,
    zones,
)


def install():
    """Install them all."""
    os_descriptors.install()
    filesystem.install()
    processes.install()
    identity.install()
    popen.install()
    event_loop.install()
    hashes.install()
    zones.install()
    refusals.install()
    tracebacks.install()
    databases.install()
    web_clients.install()
