"""The environments of wisp's adapters, and their tests, for `toolchain/adapters`."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

from . import cache, machine, python_env
from .pins import key, load_toml, pins, sha256_file
from .steps import ROOT, Missing, run, say, step

TESTS = ROOT / "tests" / "adapters"
SOURCE = ROOT / "host" / "python"
BUILT = ROOT / "target" / "python"  # what `toolchain/python --build` makes
OUT = ROOT / "target" / "adapters"
MODULE = "_native.abi3.so"
PYTHON = "3.12"  # for which versions are chosen, unless `requirements.in` says another
SECONDS = 900  # for the tests of one adapter
INDEX = "check that this machine reaches its package index (`python3 -m pip download --no-deps six`), then run this again"
# Of the environment, tests see these and what begins with WISP_: no key of anyone who runs them.
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")


def names():
    """The adapters that have tests."""
    return sorted(path.parent.name for path in TESTS.glob("*/requirements.in"))


class Adapter:
    """The folder of an adapter's tests, and what its first line says of its environment: `# small: 110 MB` or `# large: 3 GB, torch`."""

    def __init__(self, name):
        self.name, self.folder = name, TESTS / name
        lines = (self.folder / "requirements.in").read_text().splitlines()
        found = re.fullmatch(r"# (small|large): (.+)", lines[0] if lines else "")
        if found is None:
            raise Missing(f"the first line of {self.folder}/requirements.in says nothing of its environment",
                          "write `# small: 110 MB` (less than 300), or `# large: 3 GB, torch`")
        self.small, self.size = found[1] == "small", found[2]
        chosen = re.search(r"^# python: (3\.\d+)$", "\n".join(lines), re.MULTILINE)
        self.python = chosen[1] if chosen else PYTHON
        # Where a framework asks for much that the adapter's part of it does not import, the file names all that is needed.
        self.complete = "# complete" in lines

    @property
    def requirements(self):
        """The file of pins."""
        return self.folder / "requirements.txt"

    def sources(self):
        """The source distributions that have suites: lines of `NAME==VERSION SHA256`."""
        path = self.folder / "sources.txt"
        lines = path.read_text().splitlines() if path.is_file() else []
        return [line.split() for line in lines if line and not line.startswith("#")]


class Package:
    """wisp's package as it is in this tree, with a compiled module and its entry points: folders for PYTHONPATH."""

    def __init__(self, wheel=None):
        module = BUILT / "wisp_sandbox" / MODULE
        if wheel is None and not module.is_file():
            raise Missing("the package is not built", "run `toolchain/just adapters`, or name a wheel with --wheel")
        self.folder = OUT / "package"
        package = self.folder / "wisp_sandbox"
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(SOURCE / "wisp_sandbox", package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        if wheel is None:
            os.link(module, package / MODULE)
        else:
            with zipfile.ZipFile(wheel) as archive, archive.open(f"wisp_sandbox/{MODULE}") as packed, open(package / MODULE, "wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
        project = load_toml(SOURCE / "pyproject.toml")["project"]
        version = load_toml(ROOT / "Cargo.toml")["workspace"]["package"]["version"]
        facts = self.folder / f"wisp_sandbox-{version}.dist-info"
        facts.mkdir()
        extras = project.get("optional-dependencies", {})
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: wisp-sandbox\nVersion: {version}\n"
                                        + "".join(f"Provides-Extra: {name}\n" for name in extras))
        groups = project.get("entry-points", {})
        (facts / "entry_points.txt").write_text("".join(
            f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items()) for group, entries in groups.items()))


def uv():
    """The program uv, which installs and chooses in seconds what pip does in minutes."""
    with cache.lock("python"):
        return python_env.make(pins()["adapters"], "downloading uv (25 MB)") / "bin" / "uv"


def uv_settings():
    """The environment for uv: a cache in wisp's, and pip's index, which it does not know by itself."""
    asked = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True,
                           stdin=subprocess.DEVNULL, check=False)
    index = os.environ.get("PIP_INDEX_URL") or asked.stdout.strip()
    certificates = os.environ.get("PIP_CERT")
    return {**os.environ, "UV_CACHE_DIR": str(cache.piece("uv")), "UV_NO_CONFIG": "1", "UV_PYTHON_DOWNLOADS": "never",
            **({"UV_DEFAULT_INDEX": index} if index else {}), **({"SSL_CERT_FILE": certificates} if certificates else {})}


def lock(adapter):
    """Writes the pins of an adapter."""
    run([uv(), "pip", "compile", "--quiet", "--upgrade", "--universal", "--generate-hashes", "--no-annotate", "--only-binary", ":all:",
         *(["--no-deps"] if adapter.complete else []), "--python-version", adapter.python,
         "--custom-compile-command", f"toolchain/adapters --lock {adapter.name}", "--output-file", adapter.requirements.name,
         "requirements.in"], INDEX, cwd=adapter.folder, env=uv_settings())
    print(adapter.requirements.relative_to(ROOT))


def python_for(adapter):
    """The oldest Python of this machine that the pins are for."""
    least = [int(part) for part in adapter.python.split(".")]
    fitting = sorted((one for one in machine.pythons() if one["parts"] >= least), key=lambda one: (one["parts"], one["path"]))
    if not fitting:
        raise Missing(f"{adapter.name} needs Python {adapter.python}", "install it, where PATH or pyenv finds it")
    return fitting[0]


def environment(adapter):
    """The folder of an adapter's environment."""
    python = python_for(adapter)
    place = cache.piece(f"adapter-{adapter.name}-{key(adapter.requirements.read_text(), python['version'], python['path'])}")
    with cache.lock(f"adapter-{adapter.name}"):
        if not python_env.ready(place):
            program = uv()
            with step(f"making the environment of {adapter.name} ({adapter.size})"):
                cache.begin(place)
                run([program, "venv", "--quiet", "--allow-existing", "--python", python["path"], place], INDEX, env=uv_settings())
                run([program, "pip", "install", "--quiet", "--python", place / "bin" / "python", "--no-deps", "--only-binary", ":all:",
                     "--require-hashes", "-r", adapter.requirements], INDEX, env=uv_settings())
                cache.finish(place, {"python": python["version"]})
    return place


def sources(adapter, python):
    """The folder with the unpacked source distributions of an adapter, whose suites are in no wheel; None if it needs none."""
    wanted = adapter.sources()
    if not wanted:
        return None
    place = cache.piece(f"adapter-sources-{key(wanted)}")
    with cache.lock(f"adapter-{adapter.name}"):
        if cache.state(place) is None:
            with step(f"downloading the suites of {adapter.name}"):
                cache.begin(place)
                pinned = place / "sources.txt"
                pinned.write_text("".join(f"{name} --hash=sha256:{digest}\n" for name, digest in wanted))
                # pip asks a source distribution what it is: by the build system that is among the pins.
                run([python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:",
                     "--no-build-isolation", "--require-hashes", "-d", place, "-r", pinned], INDEX)
                digests = {digest for _, digest in wanted}
                for archive in sorted(place.glob("*.tar.gz")):
                    if sha256_file(archive) not in digests:
                        raise Missing(f"{archive.name} is not what {adapter.folder}/sources.txt says", INDEX)
                    unpack(archive, place)
                cache.finish(place, {})
    return place


def unpack(archive, place):
    """Unpacks regular files, below the folder, whatever their names are."""
    with tarfile.open(archive) as packed:
        for member in packed.getmembers():
            target = (place / member.name).resolve()
            if member.isreg() and place.resolve() in target.parents:
                target.parent.mkdir(parents=True, exist_ok=True)
                with packed.extractfile(member) as data, open(target, "wb") as file:
                    shutil.copyfileobj(data, file)


def settings(package, **more):
    """The environment of a test."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("WISP_")}
    # LiteLLM, which DSPy imports, would fetch its table of prices.
    ours = {"PYTHONPATH": os.pathsep.join([str(package.folder), str(TESTS)]), "PYTHONDONTWRITEBYTECODE": "1", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    return {**kept, **ours, **more}


def without_frameworks(package):
    """What can be said without any framework, of all adapters: what is wrong, 1 or 0."""
    done = subprocess.run([sys.executable, "-m", "unittest", "-q", "_without_frameworks"], cwd=TESTS, env=settings(package), timeout=SECONDS,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        say((done.stdout + done.stderr).strip())
    print(f"without frameworks: {'FAILS' if done.returncode else 'ok'}", flush=True)
    return 1 if done.returncode else 0


def typed(adapter, package, python):
    """Whether the adapter's module has right types, where its environment has mypy: a word for the line, and 1 if not."""
    if not list(python.parent.parent.glob("lib/python*/site-packages/mypy")):
        return 0, "types not checked"
    found = package.folder / "wisp_sandbox" / "adapters" / adapter.name
    module = found if found.is_dir() else found.with_suffix(".py")
    cached = str(cache.piece(f"mypy-{adapter.name}"))
    with step(f"mypy of {adapter.name}"):
        done = subprocess.run([python, "-m", "mypy", "--strict", "--python-executable", python, "--cache-dir", cached, module], cwd=OUT,
                              env=settings(package, MYPYPATH=str(package.folder)), timeout=SECONDS, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        say((done.stdout + done.stderr).strip())
    return (1, "types WRONG") if done.returncode else (0, "typed")


def tested(adapter, package, options):
    """Runs the tests of an adapter: 1 if anything is not as expected, and a line that says what came out."""
    place = environment(adapter)
    python = place / "bin" / "python"
    suites = sources(adapter, python)
    wrong, types = typed(adapter, package, python)
    report = OUT / f"{adapter.name}.json"
    report.unlink(missing_ok=True)
    own = adapter.folder / "pytest.ini"
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", own if own.is_file() else TESTS / "pytest.ini", "--rootdir", TESTS,
               "--confcutdir", TESTS, adapter.folder, *options]
    more = {"WISP_ADAPTER_REPORT": str(report), **({"WISP_ADAPTER_SOURCES": str(suites)} if suites else {})}
    try:
        done = subprocess.run(command, cwd=adapter.folder, env=settings(package, **more), timeout=SECONDS,
                              stdin=subprocess.DEVNULL, check=False).returncode
    except subprocess.TimeoutExpired:
        return 1, f"the tests did not end within {SECONDS} s"
    if not report.is_file():
        return 1, f"pytest ended with {done}, and reports nothing"
    return 1 if done or wrong else 0, f"{counted(json.loads(report.read_text()))}, {types}"


def counted(report):
    """What a report says: the suite of others apart from our own tests."""
    parts = []
    for title, counts in (("suite", report["suite"]), ("own", report["own"])):
        said = [f"{counts['passed']} passed"]
        said += [f"{counts[word]} {word}" for word in ("failed", "expected") if counts[word]]
        if any(counts.values()):
            parts.append(f"{title} {' + '.join(said)}")
    return ", ".join(parts) or "no tests"
