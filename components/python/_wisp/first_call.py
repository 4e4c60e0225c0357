"""What componentize-py does at the first call of a process, made cheap.

It remembers three things when it takes the snapshot and uses them at the first call: `os.environ`, into which it copies
the environment variable by variable, `random.seed`, which it calls without arguments, and `sys.argv`, to which it adds
the arguments. We do all that ourselves, from the host and only where it differs, so it gets stand-ins.
"""

import os
import sys

#: What is in the snapshot must not go: `immortal` counts on it.
_kept = None


def prepare():
    """The last step before the snapshot: hide what will be asked for exactly once."""
    environment = vars(os).pop("environ")
    standard = os.__getattr__

    def __getattr__(name):
        if name != "environ":
            return standard(name)
        os.__getattr__ = standard
        os.environ = environment
        return {}

    global _kept
    os.__getattr__ = _kept = __getattr__
    sys.argv = []
