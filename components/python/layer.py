"""The base layer of an image of Python: our own files in it, and the archive that holds it all."""

import io
import pathlib
import re
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent

#: Where our programs have their modules: no program's path leads there but their own.
OWN = "usr/lib/wisp"

#: The table of programs that are not here.
MISSING = HERE.parent / "tool/src/elsewhere.rs"


def ours(library, without=()):
    """Our files for an image whose standard library is in the folder `library`: {path: bytes}. Modules of `lib/` whose names are in
    `without` stay behind."""
    files = {}
    for path in (HERE / "lib").rglob("*.py"):
        relative = path.relative_to(HERE / "lib")
        if relative.parts[0].removesuffix(".py") not in without:
            files[f"{library}/{relative}"] = path.read_bytes()
    for path in (HERE / "sqlite_shell").glob("*.py"):
        files[f"{OWN}/sqlite_shell/{path.name}"] = path.read_bytes()
    files[f"{OWN}/instead"] = instead()
    for path in (HERE / "bin").iterdir():
        if path.is_file():
            files[f"usr/bin/{path.name}"] = path.read_bytes()
    return files


def links(library):
    """The links of an image: {path: where it leads}."""
    return {"usr/share/zoneinfo": f"../{library.removeprefix('usr/')}/site-packages/tzdata/zoneinfo"}


def instead():
    """The tools' table of programs that are not here, a line for each row: the names, a tab, what to use instead."""
    rows = re.findall(r'\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)",?\s*\)', MISSING.read_text().partition("\n];\n")[0])
    if not any("docker" in names.split() for names, _ in rows):
        sys.exit(f"{MISSING} has no table of programs that this can read")
    return "".join(names + "\t" + re.sub(r"\\(.)", r"\1", text) + "\n" for names, text in rows).encode()


def read_archive(archive):
    """The regular files of a tar archive, by path."""
    files = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for entry in tar:
            if entry.isfile():
                files[entry.name.removeprefix("./")] = tar.extractfile(entry).read()
    return files


def write_tar(path, files, links):
    """Write a deterministic archive: sorted, no times, no owners."""
    directories = {str(parent) for name in (*files, *links) for parent in pathlib.PurePath(name).parents} - {"."}
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted({*files, *links, *directories}):
            entry = tarfile.TarInfo(name)
            entry.mode = 0o755 if name.startswith("usr/bin/") else 0o644
            if name in files:
                entry.size = len(files[name])
                tar.addfile(entry, io.BytesIO(files[name]))
                continue
            entry.mode = 0o755
            if name in links:
                entry.type, entry.linkname = tarfile.SYMTYPE, links[name]
            else:
                entry.type = tarfile.DIRTYPE
            tar.addfile(entry)
