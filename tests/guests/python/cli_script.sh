mkdir -p /tmp/dir && cd /tmp
printf 'import sys, helper\nprint(sys.argv, __file__, __name__, sys.path[0], helper.x)\n' > dir/script.py
echo 'x = 5' > dir/helper.py
python3 dir/script.py one two
cd dir; python3 ./script.py
python3 /tmp/dir/nofile.py; echo $?
python3 /tmp/dir; echo $?
echo 'print("main of a directory")' > __main__.py; python3 /tmp/dir
python3 -m zipfile -c ../app.zip __main__.py helper.py; python3 ../app.zip
