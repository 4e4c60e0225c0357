"""A crate's archive as published, by way of cargo."""

import os
from pathlib import Path

from .steps import Missing, run

REMEDY = "check that cargo reaches its registry (`cargo info itoa`), then run this again"


def archive(crate: str, version: str) -> Path:
    """Cargo's own copy of the crate's archive; asking cargo about a crate makes it fetch just that one."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    name = f"{crate}-{version}.crate"
    if not list(home.glob(f"registry/cache/*/{name}")):
        run(["cargo", "info", "--quiet", f"{crate}@{version}"], REMEDY, cwd=home)
    for path in home.glob(f"registry/cache/*/{name}"):
        return path
    raise Missing(f"cargo did not keep `{name}`", REMEDY)
