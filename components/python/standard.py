"""The standard library that componentize-py carries.

    standard.py FOLDER NAME...

writes those of its packages into FOLDER (`toolchain/python-data`: for an image whose own library lacks them). Needs
componentize-py and zstandard.
"""

import pathlib
import sys

sys.dont_write_bytecode = True

import layer  # noqa: E402
import reproducible  # noqa: E402


def embedded_files():
    """Its files, which are a compressed archive in componentize-py's extension module: {path: bytes}."""
    import componentize_py

    package = pathlib.Path(componentize_py.__file__).parent
    (module,) = package.glob("componentize_py*.so")
    for _, _, archive in reproducible.frames(module.read_bytes()):
        if archive[257:262] == b"ustar":
            files = layer.read_archive(archive)
            if "os.py" in files:
                return files
    sys.exit(f"no standard library inside {module}: is this componentize-py 0.25.1?")


def main():
    """Write the packages that the command line names."""
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    files = embedded_files()
    for name in names:
        found = {path: data for path, data in files.items() if path.startswith(f"{name}/") and "__pycache__" not in path}
        if not found:
            sys.exit(f"componentize-py's library has no package {name}")
        for path, data in found.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)


if __name__ == "__main__":
    main()
