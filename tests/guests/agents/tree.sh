# tree. Each line runs on the same files; tree.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
tree d1
tree -a proj
tree -L 1 proj
tree -d .
tree -f d1
tree -I 'sub|*.txt' d1
tree -P '*.py' proj
tree --noreport d1
tree -F d1
tree -i d1
tree -J d1
tree -X d1
tree -n d1
tree -r d1
tree --dirsfirst proj
tree --prune -P '*.py' proj
tree -Q d1
tree -N d1
tree nosuch
tree --filelimit 2 d1
tree -v d1
tree --ignore-case -P '*.PY' proj
tree --gitignore proj
tree -if proj
tree -L 0 d1
tree d1 d2
tree --charset=ascii d1
tree -fi --noreport d1
tree --fromfile . <<< 'a/b
tree -x d1
tree -l d1
END
