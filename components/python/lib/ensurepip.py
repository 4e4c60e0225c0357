"""`ensurepip` of this Python: pip is in its library already, so that only an environment needs to be told of it.

An environment gets a package `pip` that is the library's, and the commands `pip` and `pip3`.
"""

import importlib.metadata
import os
import sys
import sysconfig

__all__ = ["bootstrap", "version"]

_VERSION = f"3.{sys.version_info.minor}"
_LIBRARY = f"/usr/lib/python{_VERSION}/site-packages"

_PACKAGE = f'''"""The pip of /usr, for this environment."""

__path__ = ["{_LIBRARY}/pip"]
with open(__path__[0] + "/__init__.py", encoding="utf-8") as _file:
    exec(compile(_file.read(), _file.name, "exec"))
'''

_COMMAND = """#!{python}
import os
import sys

os.execv(sys.executable, [sys.executable, "-m", "pip", *sys.argv[1:]])
"""


def version():
    """The version of pip."""
    return importlib.metadata.distribution("pip").version if sys.prefix == sys.base_prefix else _of_library().version


def _of_library():
    return next(iter(importlib.metadata.distributions(name="pip", path=[_LIBRARY])))


def bootstrap(*, root=None, upgrade=False, user=False, altinstall=False, default_pip=False, verbosity=0):
    """Make pip available in the environment of this interpreter. Outside an environment it is there already."""
    if root is not None:
        raise ValueError("wisp's ensurepip has no other root: pip install --root does")
    if altinstall and default_pip:
        raise ValueError("Cannot use altinstall and default_pip together")
    if sys.prefix == sys.base_prefix:
        return
    where, scripts = sysconfig.get_path("purelib"), sysconfig.get_path("scripts")
    found = _of_library()
    information = f"{where}/pip-{found.version}.dist-info"
    files = {
        f"{where}/pip/__init__.py": _PACKAGE,
        f"{where}/pip/__main__.py": "import sys\n\nfrom pip._internal.cli.main import main\n\nsys.exit(main())\n",
        f"{information}/METADATA": found.read_text("METADATA"),
        f"{information}/INSTALLER": "wisp\n",
    }
    commands = [f"pip{_VERSION}"] + ["pip3"] * (not altinstall) + ["pip"] * default_pip
    files |= {f"{scripts}/{name}": _COMMAND.format(python=sys.executable) for name in commands}
    for path, text in files.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if path.startswith(scripts):
            os.chmod(path, 0o755)
    if verbosity >= 0:
        print(f"pip {found.version} is in {sys.prefix}")


def _main(arguments=None):
    import argparse

    parser = argparse.ArgumentParser(prog="python3 -m ensurepip", description="Make pip available in a virtual environment.")
    parser.add_argument("--version", action="version", version=f"pip {version()}", help="show the version of pip")
    parser.add_argument("-v", "--verbose", action="count", default=0, dest="verbosity", help="accepted")
    parser.add_argument("-U", "--upgrade", action="store_true", help="accepted: there is one version")
    parser.add_argument("--user", action="store_true", help="accepted")
    parser.add_argument("--root", help="refused")
    parser.add_argument("--altinstall", action="store_true", help=f"make the command pip{_VERSION} only")
    parser.add_argument("--default-pip", action="store_true", help="make the command pip too")
    options = parser.parse_args(arguments)
    return bootstrap(**vars(options))


if __name__ == "__main__":
    sys.exit(_main())
