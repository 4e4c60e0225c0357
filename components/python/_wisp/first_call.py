"""What componentize-py does at the first call of a process, made cheap; and the last it looks for by name.

It remembers three things when it takes the snapshot and uses them at the first call: `os.environ`, into which it copies
the environment variable by variable, `random.seed`, which it calls without arguments, and `sys.argv`, to which it adds
the arguments. We do all that ourselves, from the host and only where it differs, so it gets stand-ins. `sys.argv` is the
last: then our names go.
"""

import os
import sys

from . import modules

#: What is in the snapshot must not go: `immortal` counts on it.
_kept = []


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

    def no_arguments(name):
        if name != "argv":
            raise AttributeError(f"module 'sys' has no attribute {name!r}", name=name, obj=sys)
        del sys.__getattr__
        sys.argv = arguments
        modules.hide_own()
        return arguments

    arguments = []
    _kept.extend([__getattr__, no_arguments, arguments])
    os.__getattr__ = __getattr__
    del sys.argv
    sys.__getattr__ = no_arguments
