cd /tmp; mkdir -p here; cd here
python3 -c 'import os; print(os.getcwd()); open("rel.txt", "w").write("x"); os.chdir(".."); print(os.getcwd()); os.system("pwd")'
cat /tmp/here/rel.txt; echo
python3 -c 'import os, pathlib; print(pathlib.Path.cwd(), os.path.abspath("a"), pathlib.Path.home())'
