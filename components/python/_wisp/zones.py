"""Time zones: the data of the tzdata package, as files."""

import zoneinfo._tzpath

from . import paths


def install():
    """Point `zoneinfo` at the data in the base layer."""
    zoneinfo._tzpath.TZPATH = (paths.ZONES,)
