"""The wheel of wisp's Python package and its source distribution: made by maturin, and tried in empty environments."""

import os
import platform
import shlex
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

from . import cache, machine, python_env
from .pins import key, pins
from .steps import ROOT, Missing, run, say, step

CRATE = ROOT / "host" / "python"
FOLDER = ROOT / "target" / "python-wheel"
GLIBC = "2_28"  # that of the oldest distributions which have Python 3.11
MOST = 70e6  # bytes of the wheel
CARGO = "see what the compiler says; `toolchain/just build` makes the components first"
COMPONENTS = ROOT / "target" / "components"


def build():
    """The wheel.

    maturin builds the crate that `just build` has built, by the same compiler with the same options, so that only the crate itself
    is compiled again, and linked: by zig, which knows the symbols of older versions of glibc.
    """
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    tools = _tools()
    linker = _linker(tools)
    with step("building the wheel (a minute or two)"):
        run([tools / "maturin", "build", "--release", "--locked", "--manifest-path", CRATE / "Cargo.toml", "--out", FOLDER,
             "--compatibility", f"manylinux_{GLIBC}", "--auditwheel", "check", "--", "-C", f"linker={linker}"],
            CARGO, cwd=ROOT, env=_environment(tools))
    wheel = _only("wisp_sandbox-*.whl")
    size = wheel.stat().st_size
    print(f"{wheel.relative_to(ROOT)}: {size / 1e6:.1f} MB")
    if size > MOST:
        raise Missing(f"the wheel has {size / 1e6:.1f} MB, and may have {MOST / 1e6:.0f}", "look at what it carries: `unzip -lv`")
    return wheel


def _linker(tools):
    """A linker for rustc: zig's, but with the process's own unwinder.

    zig would put one of its own into the module. glibc ends a thread by unwinding it with libgcc_s, and so Python does with threads that are
    left when it exits: through frames of the module, which would ask the wrong unwinder.
    """
    unwinder = run(["cc", "-print-file-name=libgcc_s.so.1"], "install a C compiler").strip()
    target = f"{platform.machine()}-linux-gnu.{GLIBC.replace('_', '.')}"
    text = f"""#!/bin/sh
for word do
  shift
  [ "$word" != -lgcc_s ] || word={shlex.quote(unwinder)}
  set -- "$@" "$word"
done
exec {shlex.quote(str(tools / "maturin"))} zig cc -- -target {target} "$@"
"""
    # cargo links again for another path, and looks at no contents.
    linker = FOLDER / f"cc-{key(text)}"
    linker.write_text(text)
    linker.chmod(0o755)
    return linker


def build_source():
    """The source distribution: the crates, their lock file, and the built components, so that nothing but Rust is needed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    tools = _tools()
    with step("making the source distribution"):
        run([tools / "maturin", "sdist", "--manifest-path", CRATE / "Cargo.toml", "--out", FOLDER], CARGO, cwd=ROOT, env=_environment(tools))
    made = _only("wisp_sandbox-*.tar.gz")
    with step("adding the components"):
        _add(made, COMPONENTS, "target/components")
    print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")
    return made


def environments(wheel):
    """For each Python of the machine, newest of each version: its version, and that of an environment with nothing but the wheel."""
    newest = {tuple(one["parts"]): one for one in sorted(machine.pythons(), key=lambda one: [int(part) for part in one["version"].split(".")])}
    for parts, one in sorted(newest.items()):
        place = FOLDER / f"environment-{'.'.join(map(str, parts))}"
        run([one["path"], "-m", "venv", place], "install Python's venv module (Debian: python3-venv)")
        run([*python_env.pip(place), "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", wheel], "see what pip says")
        yield one["version"], place


def check_command(place):
    """The program `wisp` of an environment runs a command: its last line."""
    with_policy = [place / "bin" / "wisp", "run", "--", "sh", "-c", "echo $((6 * 7)); exit 3"]
    done = subprocess.run(with_policy, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300, check=False)
    if (done.returncode, done.stdout) != (3, "42\n"):
        raise Missing(f"`wisp run` of the wheel returned {done.returncode} and {done.stdout!r}", "see what it says", done.stderr)


def contents(wheel):
    """Says what the wheel has: the names of its files, and the versions of glibc's symbols that its module asks for."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        tags = [line for line in archive.read(next(name for name in names if name.endswith("/WHEEL"))).decode().splitlines() if line.startswith("Tag:")]
        modules = [name for name in names if name.endswith(".so")]
        unwinds = all(b"libgcc_s.so.1\0" in archive.read(name) for name in modules)
    if len(modules) != 1:
        raise Missing(f"the wheel has {len(modules)} modules: {modules}", "it carries library and components once")
    if not unwinds:
        raise Missing("the module has an unwinder of its own", "see `_linker` in toolchain/lib/wheel.py")
    say(f"{len(names)} files, one module; {'; '.join(tags)}")


def _tools():
    """The folder of maturin and zig."""
    with cache.lock("python-package"):
        packages = {**pins()["python-package"], **pins()["c-compiler"]}
        return python_env.make(packages, "downloading maturin and zig (112 MB)") / "bin"


def _environment(tools):
    return {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}


def _only(pattern):
    found = sorted(FOLDER.glob(pattern))
    if len(found) != 1:
        raise Missing(f"maturin made {len(found)} of {pattern} in {FOLDER}, not one", "see what it says")
    return found[0]


def _add(made, folder, where):
    """Adds the files of a folder to an archive, below the folder that all its files are in; the same bytes for the same files."""
    scratch = made.with_suffix(".new")
    with tarfile.open(made) as old, tarfile.open(scratch, "w:gz", format=tarfile.GNU_FORMAT) as new:
        members = old.getmembers()
        for member in members:
            new.addfile(member, old.extractfile(member) if member.isreg() else None)
        top = members[0].name.split("/")[0]
        for path in sorted(path for path in Path(folder).iterdir() if path.is_file()):
            member = new.gettarinfo(path, f"{top}/{where}/{path.name}")
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime = members[0].mtime
            with path.open("rb") as file:
                new.addfile(member, file)
    os.replace(scratch, made)
