# pip installs wheels and sources of pure Python from a folder, for the user; no index is asked.
export PIP_NO_INDEX=1 PIP_FIND_LINKS=/tmp/wheels
mkdir -p /tmp/wheels && cd /tmp
cat > wheels.py <<'EOF'
"""Makes wheels: NAME VERSION [REQUIREMENT]…"""
import base64, hashlib, sys, zipfile
name, version, *requirements = sys.argv[1:]
info = f"{name}-{version}.dist-info"
metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: says {name}\nLicense: MIT\n"
files = {
    f"{name}/__init__.py": f'"""The package {name}."""\n\n__version__ = "{version}"\n\n\ndef main():\n    print("{name} {version}")\n',
    f"{info}/METADATA": metadata + "".join(f"Requires-Dist: {one}\n" for one in requirements),
    f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{info}/entry_points.txt": f"[console_scripts]\nsay-{name} = {name}:main\n",
}
record = []
with zipfile.ZipFile(f"/tmp/wheels/{name}-{version}-py3-none-any.whl", "w") as wheel:
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record.append(f"{path},sha256={digest},{len(text)}\n")
        wheel.writestr(zipfile.ZipInfo(path), text)
    wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "".join(record) + f"{info}/RECORD,,\n")
EOF
python3 wheels.py alpha 1.0; python3 wheels.py alpha 2.0 'beta>=1'; python3 wheels.py beta 1.5
echo '== install, with what it depends on'
pip install alpha
python3 -c 'import alpha; alpha.main(); print(alpha.__file__)'
ls ~/.local/lib/python3.14/site-packages ~/.local/lib/python3.14/site-packages/alpha/__pycache__
~/.local/bin/say-beta
echo '== again, an older one, a newer one'
pip install alpha; pip install 'alpha<2'; python3 -m pip install -q -U alpha; python3 -c 'import alpha; print(alpha.__version__)'
echo '== show, freeze, check'
pip3 show alpha | grep -v Location; pip freeze --user; pip list --user
echo '== uninstall'
pip uninstall -y alpha; python3 -c 'import alpha' 2>&1 | tail -n 1; pip uninstall -y alpha
echo '== requirements with hashes'
sum=$(sha256sum wheels/beta-1.5-py3-none-any.whl | cut -d' ' -f1)
echo "beta==1.5 --hash=sha256:$sum" > good.txt; echo "beta==1.5 --hash=sha256:$(echo x | sha256sum | cut -d' ' -f1)" > bad.txt
pip install -q --force-reinstall -r good.txt && echo good
pip install -q --force-reinstall -r bad.txt >/dev/null 2>&1; echo "status $?"
echo '== elsewhere'
pip install -q --target /tmp/here beta; ls /tmp/here
pip download -q -d /tmp/got alpha; ls /tmp/got
uv pip install --system -q alpha && say-alpha 2>/dev/null || ~/.local/bin/say-alpha
echo '== a folder of sources, with a build backend of its own'
mkdir -p gamma/backend && cat > gamma/pyproject.toml <<'EOF'
[project]
name = "gamma"
version = "3.0"
[build-system]
requires = []
build-backend = "backend"
backend-path = ["backend"]
EOF
cat > gamma/backend/backend.py <<'EOF'
import shutil, subprocess, sys

def build_wheel(directory, settings=None, metadata=None):
    subprocess.run([sys.executable, "/tmp/wheels.py", "gamma", "3.0"], check=True)
    return shutil.move("/tmp/wheels/gamma-3.0-py3-none-any.whl", directory).rpartition("/")[2]
EOF
pip install -q ./gamma && python3 -c 'import gamma; gamma.main()'
