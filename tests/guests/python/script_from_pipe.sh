# The text of a program in a pipe: it can be read once.
python3 <(echo 'print("substitution")')
echo 'print("pipe")' | python3 /dev/stdin
python3 /dev/stdin a b <<< 'import sys; print(sys.argv[1:])'
cd "$(mktemp -d)" || exit 1
echo 'print("file")' > x.py
python3 /dev/fd/7 7< x.py
mkdir z && echo 'print("archive", __name__)' > z/__main__.py
(cd z && zip -q ../z.zip __main__.py)
python3 z.zip
python3 z
cp z.zip plain
python3 plain
python3 nosuch.py; echo $?
