"""What several adapters need."""

from __future__ import annotations


def missing(framework: str, extra: str) -> ImportError:
    """Returns the error of an adapter whose framework is not installed: `raise missing("deepagents", "deepagents") from error`."""
    return ImportError(f'this adapter needs {framework}: pip install "wisp-sandbox[{extra}]"', name=framework)
