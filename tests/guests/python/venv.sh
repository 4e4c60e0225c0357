# A virtual environment has packages of its own, and the library's pip.
cd /tmp
python3 -m venv here; echo "status $?"
cat here/pyvenv.cfg | grep -v -e command -e executable; ls here/bin | grep -v -i activate
here/bin/python -c 'import sys; print(sys.prefix, sys.base_prefix, sys.executable); print(sys.path)'
here/bin/python -c 'import requests' 2>&1 | tail -n 1
here/bin/python -m pip list
mkdir -p here/lib/python3.14/site-packages; echo 'print("mine")' > here/lib/python3.14/site-packages/mine.py
here/bin/python -m mine; python3 -c 'import mine' 2>&1 | tail -n 1
echo '== activated'
. here/bin/activate
command -v python pip; python -c 'import sys, mine, subprocess; subprocess.run(["python", "-c", "import sys; print(sys.prefix)"])'
pip --version
deactivate; python -c 'import sys; print(sys.prefix)'
echo '== with the packages of the system'
python3 -m venv --system-site-packages --without-pip both; both/bin/python -c 'import requests, sys; print(sys.prefix, [entry for entry in sys.path if "site" in entry])'
