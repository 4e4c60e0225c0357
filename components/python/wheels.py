"""The packages of the base layer: what of each wheel goes into the guest, under which licence, and with which commands."""

import email.parser
import re
import sys
import zipfile

LIST = "usr/share/doc/python3-packages/README"

#: Folders that stay behind: the packages' own tests and benchmarks.
TESTS = ("tests", "benchmarks", "benchmark", "test-examples")

#: What else stays behind: what is about TLS and sockets of one's own, windows, other systems' graphics and compilers,
#: installers, completions of other shells.
UNUSED = (
    "charset_normalizer/__main__.py", "charset_normalizer/cli/", "click/_winconsole.py", "dateutil/tz/win.py", "docx/", "httpx/_main.py",
    "hypothesis/extra/django/",
    "idna/__main__.py", "idna/cli.py", "networkx/algorithms/isomorphism/tests", "sympy/parsing/autolev/", "sympy/parsing/latex/_antlr/",
    "sympy/printing/llvmjitcode.py", "sympy/utilities/mathml/data/", "tqdm/completion.sh", "tqdm/tqdm.1",
    "urllib3/contrib/emscripten/", "urllib3/contrib/pyopenssl.py", "urllib3/contrib/socks.py",
)

#: What is for numpy and pandas, and stays behind where an image has neither.
OF_DATA = ("hypothesis/extra/_array_helpers.py", "hypothesis/extra/numpy.py", "hypothesis/extra/pandas/")

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
    "2-clause BSD": "BSD-2-Clause", "Apache 2.0": "Apache-2.0", "Apache-2.0": "Apache-2.0", "Apache-2.0 OR BSD-2-Clause": "Apache-2.0 OR BSD-2-Clause",
    "BSD": "BSD-3-Clause", "BSD License": "BSD-3-Clause", "BSD-2-Clause": "BSD-2-Clause", "BSD-3-Clause": "BSD-3-Clause", "MIT": "MIT",
    "MIT License": "MIT", "MIT OR Apache-2.0": "MIT OR Apache-2.0", "MPL-2.0": "MPL-2.0", "MPL-2.0 AND MIT": "MPL-2.0 AND MIT",
    "PSF-2.0": "PSF-2.0", "PSFL": "PSF-2.0", "Python Software Foundation License": "PSF-2.0",
}


def wanted(name, unused=(*UNUSED, *OF_DATA)):
    """Whether a file of a wheel goes into the base layer."""
    folder, _, rest = name.partition("/")
    if name.endswith("/"):
        return False
    if folder.endswith(".dist-info"):
        return rest in FACTS or "LICEN" in rest.upper() or rest.rpartition("/")[2].startswith(("COPYING", "NOTICE"))
    return not (name.endswith(SOURCES) or name.startswith(unused) or folder.endswith(".data")
                or any(part in TESTS for part in name.split("/")[:-1]))


def read(folder, own, site, present=()):
    """The files of the base layer that come from the wheels of `folder` and from the folder `own`: {path: bytes}. The packages go into
    the folder `site`. `present` has the metadata of those that an image has already: of their wheels it takes only the commands."""
    known = {canonical(metadata["Name"]): metadata for metadata in map(parsed, present)}
    unused = UNUSED if "numpy" in known else (*UNUSED, *OF_DATA)
    files, rows = {}, [(title(metadata), licence(metadata, False), []) for metadata in known.values()]
    for path in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            found = {name: wheel.read(name) for name in wheel.namelist() if wanted(name, unused)}
        name, row = package(found)
        if canonical(name) in known:
            rows.append((None, None, row[2]))
        else:
            rows.append(row)
            files |= found
    ours = {str(path.relative_to(own)): path.read_bytes() for path in own.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    for info in sorted({name.partition("/")[0] for name in ours if ".dist-info/" in name}):
        found = {name: data for name, data in ours.items() if name.startswith(f"{info}/")}
        rows.append(package(found)[1])
        ours |= found
    files = {f"{site}/{name}": data for name, data in (files | ours).items()}
    commands = dict(command for _, _, commands in rows for command in commands if command[0] in COMMANDS)
    files |= {f"usr/bin/{name}": script(*place.split(":")) for name, place in commands.items()}
    files[LIST] = listing([row for row in rows if row[0] is not None], site, bool(known))
    return files


def parsed(text):
    """The metadata of a package, which are text or bytes."""
    return email.parser.HeaderParser().parsestr(text if isinstance(text, str) else text.decode())


def canonical(name):
    """A package's name as pip compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def title(metadata):
    """The name and the version of a package."""
    return f"{metadata['Name']} {metadata['Version']}"


def package(found):
    """The name of one package; its title, its licence and its commands. Adds to its files the list of them, as an installer does."""
    (facts,) = (name for name in found if name.endswith(".dist-info/METADATA"))
    info = facts.rpartition("/")[0]
    metadata = parsed(found[facts])
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
    return metadata["Name"], (title(metadata), licence(metadata), commands)


def licence(metadata, checked=True):
    """The licence, as the metadata give it in one of three ways. One without a row is refused, unless it need not be `checked`."""
    classifiers = [text.rpartition(" :: ")[2] for text in metadata.get_all("Classifier", ()) if text.startswith("License :: OSI")]
    given = [metadata["License-Expression"], metadata["License"], *classifiers]
    if not checked and given[0]:
        return given[0]
    found = next((LICENCES[text] for text in given if text in LICENCES), None)
    if found is None and checked:
        sys.exit(f"{metadata['Name']}: no known licence in {[text for text in given if text]} (components/python/wheels.py)")
    return found or "see its text"


def licence_texts(folder):
    """The licence texts of the wheels of `folder`, for those that keep an image's: {package: text}."""
    texts = {}
    for path in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            parts = [wheel.read(name) for name in wheel.namelist() if wanted(name) and _is_licence(name)]
        texts[canonical(path.name.partition("-")[0])] = b"\n".join(parts)
    return texts


def _is_licence(name):
    folder, _, rest = name.partition("/")
    return folder.endswith(".dist-info") and rest not in FACTS


def modules(found):
    """The names that a package's files can be imported by."""
    return {name.partition("/")[0].removesuffix(".py") for name in found if name.endswith(".py")}


def script(module, function):
    """A command: what an installer writes for an entry point."""
    return f"#!/usr/bin/python3\nimport sys\n\nfrom {module} import {function}\n\nsys.exit({function}())\n".encode()


def listing(rows, site, others):
    """The list of packages and licences that a session finds. `others` says that some have no folder of their own in it."""
    lines = [f"{name:36}{licence}\n" for name, licence, _ in sorted(rows, key=lambda row: row[0].lower())]
    where = f"the .dist-info folders of\n/{site}" + (",\nor in the folder `licences` of the image" if others else "")
    head = f"The packages of python3 that are not CPython's. Their licences' texts are in {where}.\n\n"
    return (head + "".join(lines)).encode()
