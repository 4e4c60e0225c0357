"""As much of IPython as wisp has: `IPython.display`, which shows objects by wisp's own `display`."""

#: What asks for it only prints it (`pandas.show_versions`); no IPython has had it.
__version__ = "0.0"


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise ImportError(
        f"cannot import name {name!r} from 'IPython': wisp has IPython.display only; cells are evaluated by CPython, not by IPython",
        name=__name__,
    )
