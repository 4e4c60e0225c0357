"""The Pythons of this machine."""

import glob
import json
import shutil
import subprocess

ABOUT = """
import json, sys, sysconfig
made = "with PGO" if "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "") else "without PGO"
print(json.dumps({"path": sys.executable, "version": sys.version.split()[0], "parts": list(sys.version_info[:2]), "build": made}))
"""


def about(python):
    """What this command is, if it is a Python; a version manager's script answers with the Python behind it."""
    try:
        done = subprocess.run([python, "-c", ABOUT], capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
        return json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def pythons():
    """Those on PATH, and those of a version manager; from 3.11 on."""
    names = [f"python3.{minor}" for minor in range(15, 10, -1)]
    if shutil.which("pyenv"):
        root = subprocess.run(["pyenv", "root"], capture_output=True, text=True, check=False).stdout.strip()
        names += sorted(glob.glob(f"{root}/versions/*/bin/python3")) if root else []
    return [one for one in map(about, names) if one and one["parts"] >= [3, 11]]
