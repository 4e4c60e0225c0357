# A missing package: CPython's exception and, only if nothing caught it, advice.
cd /tmp
for name in numpy pandas matplotlib PIL regex lxml docx pydantic flask simplejson plotly altair uvicorn websockets redis gunicorn openai requests_html; do
  python3 -c "import $name" 2>&1 | tail -n +4
done
python3 -c '
try:
    import numpy.linalg
except ModuleNotFoundError as error:
    print(error, "|", error.name, getattr(error, "__notes__", None))'
echo 'from pandas import DataFrame' > load.py
python3 load.py; echo "status $?"
python3 -c 'raise ModuleNotFoundError("numpy is what I want", name="numpy")' 2>&1 | tail -n 1
# A module of the program may have that name.
mkdir numpy pip; echo 'print("my own numpy")' > numpy/__init__.py; echo 'print("my own pip")' > pip/__main__.py; touch pip/__init__.py
python3 -c 'import numpy'; python3 -m pip; rm -r numpy pip
# Installers.
for name in virtualenv poetry flask numpy nothing.at.all; do
  python3 -m $name install x; echo "status $?"
done 2>&1
# The advice is right: an unpacked wheel works.
mkdir -p wheel/humanize; echo 'def humanize(rows): return "|".join(map(str, rows))' > wheel/humanize/__init__.py
(cd wheel && zip -qr ../humanize-1.0-py3-none-any.whl humanize)
python3 -c 'import humanize' 2>&1 | tail -n 1
python3 -m zipfile -e humanize-1.0-py3-none-any.whl ~/.local/lib/python3.14/site-packages
python3 -c 'import humanize; print(humanize.humanize([1, 2]), humanize.__file__)'
python3 -c 'import site, sys; print(site.getusersitepackages() in sys.path, site.getusersitepackages(), site.getuserbase(), site.ENABLE_USER_SITE)'
python3 -s -c 'import site, sys; print(site.getusersitepackages() in sys.path, site.ENABLE_USER_SITE)'
PYTHONUSERBASE=/tmp/base python3 -c 'import site; print(site.getusersitepackages())'
python3 -m site; python3 -m site --user-site
