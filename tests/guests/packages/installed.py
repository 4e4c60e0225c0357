"""Each package has its name, version and licence; each module imports; nothing of them is loaded before."""
import importlib
import importlib.metadata
import pathlib
import sys

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import sys_tags
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

PACKAGES = """attr attrs bs4 charset_normalizer click dateutil defusedxml et_xmlfile html5lib httpx hypothesis idna iniconfig jinja2 jsonschema
jsonschema_specifications markdown markdown_it markupsafe mdurl more_itertools mpmath networkx openpyxl packaging pluggy pygments pypdf pytest
pytz yaml referencing requests rich rpds six sortedcontainers soupsieve sympy tabulate tomli_w toolz tqdm typing_extensions tzdata urllib3
webencodings xlsxwriter xmltodict""".split()
print([name for name in PACKAGES if name != "packaging" and name in sys.modules])
for name in PACKAGES:
    importlib.import_module(name)
distributions = {canonicalize_name(found.name): found for found in importlib.metadata.distributions()}
for name, found in sorted(distributions.items()):
    Version(found.version)
    if importlib.metadata.version(name) != found.version:
        print("another version:", name)
    missing = [file for file in found.files or () if not pathlib.Path(found.locate_file(file)).is_file()]
    if missing:
        print("files:", name, missing)
    for text in found.requires or ():
        needed = Requirement(text)
        if needed.marker is None or needed.marker.evaluate({"extra": ""}):
            other = distributions.get(canonicalize_name(needed.name))
            if other is None or other.version not in needed.specifier:
                print(name, "needs", needed)
print(len(distributions), importlib.metadata.version("PyYAML") == importlib.metadata.version("pyyaml"), "pytest" in {e.name for e in importlib.metadata.entry_points(group="console_scripts")})
listed = pathlib.Path("/usr/share/doc/python3-packages/README").read_text().split("\n\n")[1]
names = {canonicalize_name(line.split()[0]) for line in listed.splitlines()}
print(sorted(names ^ distributions.keys()), {line.split(None, 2)[2] for line in listed.splitlines()} - {"MIT", "BSD-3-Clause", "BSD-2-Clause", "Apache-2.0", "PSF-2.0"})
found = importlib.metadata.packages_distributions()
print(found["yaml"], found["bs4"], found["dateutil"])

print(Version("1.10") > Version("1.9.post1"), Version("2.0rc1").is_prerelease, "1.5" in SpecifierSet(">=1.4,<2"), sorted(map(Version, ["1.10", "1.2"])))
print(Requirement("a[b]>=1; python_version < '3'").marker.evaluate(), [str(tag) for tag in sys_tags()][-1])
try:
    Version("x")
except InvalidVersion as error:
    print(error)
import six  # noqa: E402
import typing_extensions  # noqa: E402

print(six.PY3, six.moves.urllib.parse.quote("a b"), typing_extensions.TypedDict.__name__, typing_extensions.override(print) is print)
