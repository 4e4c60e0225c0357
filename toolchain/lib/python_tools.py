"""What tools of others make of the Python package: `toolchain/python --tools`.

Type checkers read it as its users' do, Jupyter runs the guide's notebook, and its tests run on uvloop and with pytest on two processes at
a time. All are pinned: the packages of PyPI in pins.toml; pyright, which is 4 MB in npm and 75 in PyPI, in tests/python/npm.
"""

import json
import os
import shutil
import subprocess
import sys

from . import cache, node, python_env
from .pins import key, pins
from .steps import ROOT, Missing, run, step

TESTS = ROOT / "tests" / "python"
OUT = ROOT / "target" / "python-tools"
OLDEST = "3.11"
# Programs that use all of the package.
USES = [TESTS / "typed.py", TESTS / "typed_data.py"]
NODE = (14,)  # what pyright asks for
SECONDS = 900  # for one tool
REMEDY = "see what it says above"


class Tools:
    """The tools, and the package that they look at."""

    def __init__(self, path):
        self.path, self.package = OUT / "package", OUT / "package" / "wisp_sandbox"
        # Adapters are read where their frameworks are: toolchain/adapters.
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(path / "wisp_sandbox", self.package, copy_function=os.link, ignore=shutil.ignore_patterns("adapters", "__pycache__"))
        with cache.lock("python-tools"):
            place = python_env.make(python_env.listed(pins()["python-tools"]), "downloading mypy, Jupyter's kernel, uvloop and pytest (30 MB)")
            self.python = place / "bin" / "python"
            self.node, self.pyright = pyright()
        shutil.rmtree(OUT / "settings", ignore_errors=True)
        OUT.mkdir(parents=True, exist_ok=True)
        # No settings of whoever runs this, and nothing left with theirs.
        folders = {name: str(OUT / "settings" / name.lower()) for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
        own = {"PYTHONPATH": str(self.path), "PYTHONDONTWRITEBYTECODE": "1", "JUPYTER_PLATFORM_DIRS": "1", "JUPYTER_NO_CONFIG": "1",
               "MYPY_CACHE_DIR": str(OUT / "mypy")}
        self.environment = {**os.environ, **folders, **own}

    def run(self, title, command, shown=True):
        """Runs a tool: whether it succeeded, and its output, which is shown if it did not."""
        with step(title):
            try:
                done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=TESTS, env=self.environment,
                                      stdin=subprocess.DEVNULL, timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                print(f"{title}: not done within {SECONDS} s")
                return False, ""
        if done.returncode != 0 and shown:
            print((done.stdout + done.stderr).strip())
        return done.returncode == 0, done.stdout


def pyright():
    """node, and the program of the pinned pyright."""
    pinned = {path.name: path.read_text() for path in sorted((TESTS / "npm").glob("*.json"))}
    place = cache.piece(f"pyright-{key(pinned)}")
    found = node.at_least(NODE, pins()["wasm-rust"]["node"])
    if cache.state(place) is None:
        with step("downloading pyright (4 MB)"):
            cache.begin(place)
            for name, text in pinned.items():
                (place / name).write_text(text)
            run([*found.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                "check that npm reaches its registry (`npm view is-number version`), then run this again", cwd=place)
            cache.finish(place, {})
    return found.node, place / "node_modules" / "pyright" / "index.js"


def mypy(tools):
    """The package, and programs that use everything in it."""
    good, said = tools.run("mypy", [tools.python, "-m", "mypy", "--strict", "--python-version", OLDEST, tools.package, *USES])
    return good, f"mypy --strict: {last(said)}"


def used(tools):
    """Whether those programs use everything."""
    good, said = tools.run("what programs use", [tools.python, ROOT / "toolchain" / "lib" / "python_reference.py", "--used", *USES])
    return good, f"tests/python/typed*.py: {last(said)}"


def strict(tools):
    """The same, read by pyright."""
    config = OUT / "pyrightconfig.json"
    # Within the package, its modules are nobody else's; its users see what is public.
    environments = [{"root": str(tools.path), "reportPrivateUsage": False}, {"root": str(TESTS), "extraPaths": [str(tools.path)]}]
    # It passes over paths that are not relative, and finds no mistake where it reads nothing.
    files = [os.path.relpath(path, OUT) for path in (tools.package, *USES)]
    config.write_text(json.dumps({"include": files, "typeCheckingMode": "strict", "pythonVersion": OLDEST,
                                  "pythonPlatform": "Linux", "executionEnvironments": environments}))
    good, said = tools.run("pyright", [tools.node, tools.pyright, "--project", config, "--pythonpath", tools.python])
    return good, f"pyright, strict: {last(said)}"


def complete(tools):
    """Whether everything public has a type that is written down."""
    command = [tools.node, tools.pyright, "--verifytypes", "wisp_sandbox", "--pythonpath", tools.python, "--outputjson"]
    _, said = tools.run("pyright --verifytypes", command, shown=False)
    found = json.loads(said or "{}").get("typeCompleteness", {})
    for symbol in found.get("symbols", ()):
        if not symbol["isTypeKnown"] or symbol["isTypeAmbiguous"]:
            print(f"{symbol['name']} has no type that is written down")
    names, score = found.get("exportedSymbolCounts", {}).get("withKnownType", 0), found.get("completenessScore", 0)
    return score == 1 and names > 0, f"pyright --verifytypes: {names} names, {score:.0%} with types"


def stubs(tools):
    """Whether the stub is about the module that there is."""
    good, said = tools.run("stubtest", [tools.python, "-m", "mypy.stubtest", "wisp_sandbox._native"])
    return good, f"stubtest: {last(said)}"


def kernel(tools, *options):
    """The guide's notebook in a kernel."""
    good, said = tools.run("the notebook", [tools.python, TESTS / "kernel.py", *options])
    return good, f"the notebook in a kernel: {last(said)}"


def uvloop(tools):
    """The tests of the event loop, on another one."""
    good, said = tools.run("uvloop", [tools.python, "-X", "dev", "-W", "error", TESTS / "loops.py"])
    return good, f"tests/python/loops.py on uvloop: {'pass' if good else last(said)}"


def xdist(tools):
    """The tests, with pytest, two processes at a time."""
    good, said = tools.run("pytest-xdist", [tools.python, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "--rootdir", TESTS, TESTS])
    return good, f"pytest -n 2: {last(said)}"


def last(said):
    lines = said.strip().splitlines()
    return lines[-1] if lines else "failed"


def check(path):
    """Runs every tool on the package in `path`, a line each: the exit status."""
    tools, wrong = Tools(path), 0
    for part in (mypy, used, strict, complete, stubs, kernel, uvloop, xdist):
        good, line = part(tools)
        wrong += not good
        print(line if good else f"! {line}", flush=True)
    return 1 if wrong else 0


def bless(path):
    """Writes the guide's pages that are made of the package in `path`: the reference, and what the notebook shows."""
    with step("writing the reference"):
        page = run([sys.executable, ROOT / "toolchain" / "lib" / "python_reference.py"], REMEDY, env={**os.environ, "PYTHONPATH": str(path)})
    (ROOT / "docs" / "src" / "reference" / "python.md").write_text(page)
    good, line = kernel(Tools(path), "--bless")
    if not good:
        raise Missing("the notebook does not run in a kernel", REMEDY)
    print(line)
    return 0
