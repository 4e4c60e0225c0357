"""The packages of the base layer: what of each wheel goes into the guest, under which licence, and with which commands."""

import email.parser
import re
import sys
import zipfile

SITE = "usr/lib/python3.14/site-packages"
LIST = "usr/share/doc/python3-packages/README"

#: Folders that stay behind: the packages' own tests and benchmarks.
TESTS = ("tests", "benchmarks", "benchmark", "test-examples")

#: What else stays behind: what is about TLS and sockets of one's own, windows, other systems' graphics and compilers,
#: installers, completions of other shells.
UNUSED = (
    "charset_normalizer/__main__.py", "charset_normalizer/cli/", "click/_winconsole.py", "dateutil/tz/win.py", "docx/", "httpx/_main.py",
    "hypothesis/extra/_array_helpers.py", "hypothesis/extra/django/", "hypothesis/extra/numpy.py", "hypothesis/extra/pandas/",
    "idna/__main__.py", "idna/cli.py", "networkx/algorithms/isomorphism/tests", "sympy/parsing/autolev/", "sympy/parsing/latex/_antlr/",
    "sympy/printing/llvmjitcode.py", "sympy/utilities/mathml/data/", "tqdm/completion.sh", "tqdm/tqdm.1",
    "urllib3/contrib/emscripten/", "urllib3/contrib/pyopenssl.py", "urllib3/contrib/socks.py",
)

#: Native code, its source, types for checkers, and grammars for generators.
SOURCES = (".c", ".exe", ".g4", ".h", ".pxd", ".pyd", ".pyi", ".pyx", ".so")

#: What `.dist-info` keeps, beside the licences.
FACTS = ("METADATA", "entry_points.txt", "top_level.txt")

#: What packages say that they need, and do not need here: the transport of httpx is our own.
NEEDLESS = {"httpx": ("anyio", "httpcore")}

#: Commands that their packages install. The others of the same packages are seldom used, or need what is not here.
COMMANDS = ("markdown_py", "py.test", "pygmentize", "pytest", "tabulate", "tqdm")

#: Licences by what the metadata call them. A package whose licence has no row is not built in.
LICENCES = {
    "Apache 2.0": "Apache-2.0", "Apache-2.0": "Apache-2.0", "Apache-2.0 OR BSD-2-Clause": "Apache-2.0 OR BSD-2-Clause", "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause", "BSD-2-Clause": "BSD-2-Clause", "BSD-3-Clause": "BSD-3-Clause", "MIT": "MIT", "MIT License": "MIT",
    "MIT OR Apache-2.0": "MIT OR Apache-2.0", "MPL-2.0": "MPL-2.0", "MPL-2.0 AND MIT": "MPL-2.0 AND MIT", "PSF-2.0": "PSF-2.0", "PSFL": "PSF-2.0",
}

def wanted(name):
    """Whether a file of a wheel goes into the base layer."""
    folder, _, rest = name.partition("/")
    if name.endswith("/"):
        return False
    if folder.endswith(".dist-info"):
        return rest in FACTS or "LICEN" in rest.upper() or rest.rpartition("/")[2].startswith(("COPYING", "NOTICE"))
    return not (name.endswith(SOURCES) or name.startswith(UNUSED) or folder.endswith(".data")
                or any(part in TESTS for part in name.split("/")[:-1]))


def read(folder, own):
    """The files of the base layer that come from the wheels of `folder` and from the folder `own`: {path: bytes}."""
    files, rows = {}, []
    for path in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            found = {name: wheel.read(name) for name in wheel.namelist() if wanted(name)}
        rows.append(package(found))
        files |= found
    ours = {str(path.relative_to(own)): path.read_bytes() for path in own.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    for info in sorted({name.partition("/")[0] for name in ours if ".dist-info/" in name}):
        found = {name: data for name, data in ours.items() if name.startswith(f"{info}/")}
        rows.append(package(found))
        ours |= found
    files = {f"{SITE}/{name}": data for name, data in (files | ours).items()}
    commands = dict(command for _, _, commands in rows for command in commands if command[0] in COMMANDS)
    files |= {f"usr/bin/{name}": script(*place.split(":")) for name, place in commands.items()}
    files[LIST] = listing(rows)
    return files


def package(found):
    """The name, the licence and the commands of one package; adds to its files the list of them, as an installer does."""
    (facts,) = (name for name in found if name.endswith(".dist-info/METADATA"))
    info = facts.rpartition("/")[0]
    metadata = email.parser.HeaderParser().parsestr(found[facts].decode())
    needless = tuple(f"Requires-Dist: {name}" for name in NEEDLESS.get(metadata["Name"], ()))
    if needless:
        lines = found[facts].decode().splitlines(keepends=True)
        found[facts] = "".join(line for line in lines if not line.startswith(needless)).encode()
    # As Debian does: without RECORD, pip leaves alone what it has not installed, and says who has.
    found[f"{info}/INSTALLER"] = b"wisp\n"
    found.setdefault(f"{info}/top_level.txt", "".join(f"{name}\n" for name in sorted(modules(found))).encode())
    points = found.get(f"{info}/entry_points.txt", b"").decode()
    section = points.partition("[console_scripts]")[2].partition("[")[0]
    commands = re.findall(r"^([\w.-]+) *= *([\w.:]+)", section, re.MULTILINE)
    return f"{metadata['Name']} {metadata['Version']}", licence(metadata), commands


def licence(metadata):
    """The licence, as the metadata give it in one of three ways."""
    classifiers = [text.rpartition(" :: ")[2] for text in metadata.get_all("Classifier", ()) if text.startswith("License :: OSI")]
    given = [metadata["License-Expression"], metadata["License"], *classifiers]
    found = next((LICENCES[text] for text in given if text in LICENCES), None)
    if found is None:
        sys.exit(f"{metadata['Name']}: no known licence in {[text for text in given if text]} (components/python/wheels.py)")
    return found


def modules(found):
    """The names that a package's files can be imported by."""
    return {name.partition("/")[0].removesuffix(".py") for name in found if name.endswith(".py")}


def script(module, function):
    """A command: what an installer writes for an entry point."""
    return f"#!/usr/bin/python3\nimport sys\n\nfrom {module} import {function}\n\nsys.exit({function}())\n".encode()


def listing(rows):
    """The list of packages and licences that a session finds."""
    lines = [f"{name:36}{licence}\n" for name, licence, _ in sorted(rows, key=lambda row: row[0].lower())]
    head = "The packages of python3 that are not CPython's. Their licences' texts are in the .dist-info folders of\n/" + SITE + ".\n\n"
    return (head + "".join(lines)).encode()
