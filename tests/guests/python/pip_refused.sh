# What pip cannot install here, with the reason; and what it must not remove.
cd /tmp
export PIP_NO_INDEX=1
pip install numpy; echo "status $?"
pip install no-such-package-anywhere; echo "status $?"
pip uninstall -y requests; echo "status $?"
python3 -c 'import requests; print("requests is here")'
unset PIP_NO_INDEX
pip install flask 2>&1 | tail -n 3
