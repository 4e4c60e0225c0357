# /workspace is a directory of the user's, empty at first.
stat -c '%A %U %G' /workspace; ls -A /workspace; test -w /workspace && echo writable
cd /workspace && echo text > file && mkdir -p src && mv file src/ && cat src/file && pwd
HOME=/workspace sh -c 'cd; pwd; echo ~; python3 -c "import pathlib; print(pathlib.Path.home())"'
python3 -c 'import os; os.chdir("/workspace"); print(sorted(os.listdir()), os.stat(".").st_uid)'
