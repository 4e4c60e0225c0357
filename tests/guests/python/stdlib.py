"""Imports every module of the standard library; what fails must be what stdlib-failures.txt pins, with its reason."""
import importlib
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")
pinned = {}
for line in (pathlib.Path(__file__).parent / "stdlib-failures.txt").read_text().splitlines():
    if line and not line.startswith("#"):
        name, _, reason = line.partition(" ")
        pinned[name] = reason.strip()

SKIPPED = {"antigravity", "this", "idlelib"}  # open a browser, print a poem, or are programs themselves
failed = {}
names = sorted(sys.stdlib_module_names - SKIPPED)
for name in names:
    try:
        importlib.import_module(name)
    except ImportError as error:
        failed[name] = str(error)
    except Exception as error:
        failed[name] = f"{type(error).__name__}: {error}"

for name in sorted(failed.keys() - pinned.keys()):
    print("fails, but is not pinned:", name, "|", failed[name])
for name in sorted(pinned.keys() - failed.keys()):
    print("is pinned, but imports:", name)
for name in sorted(name for name, reason in pinned.items() if not reason):
    print("is pinned without a reason:", name)
print("imported" if len(names) - len(failed) > 200 else f"imported only {len(names) - len(failed)} of {len(names)}")
