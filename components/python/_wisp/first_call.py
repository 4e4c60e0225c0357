"""Makes cheap what componentize-py does at the first call of a process, and removes the last names that it looks up.

When it takes the snapshot, it remembers three things that it uses at the first call: `os.environ`, into which it copies
the environment variable by variable; `random.seed`, which it calls without arguments; and `sys.argv`, to which it adds
the arguments. We do all of that ourselves, from the host and only where something differs, so it gets stand-ins.
`sys.argv` is the last: after it our names are removed, still before the snapshot.
"""

import os
import sys

from . import modules

#: Objects in the snapshot must never be freed: `immortal` relies on it.
_kept = []


def prepare():
    """The last step before the snapshot: hide the names that will be looked up exactly once."""
    environment = vars(os).pop("environ")
    standard = os.__getattr__

    def __getattr__(name):
        if name != "environ":
            return standard(name)
        os.__getattr__ = standard
        os.environ = environment
        return {}

    def no_arguments(name):
        if name != "argv":
            raise AttributeError(f"module 'sys' has no attribute {name!r}", name=name, obj=sys)
        del sys.__getattr__
        sys.argv = own
        modules.hide_own()
        return arguments

    arguments, own = [], sys.argv
    _kept.extend([__getattr__, no_arguments, arguments])
    os.__getattr__ = __getattr__
    del sys.argv
    sys.__getattr__ = no_arguments
