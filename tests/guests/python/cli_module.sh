cd /tmp
printf 'import sys\nprint(__name__, __spec__.name, sys.argv, sys.path[0])\n' > mod.py
python3 -m mod a b
mkdir pkg; echo 'print("package main")' > pkg/__main__.py; python3 -m pkg
echo '{"b": [1, 2]}' | python3 -m json.tool --compact
python3 -m nomod; echo $?
