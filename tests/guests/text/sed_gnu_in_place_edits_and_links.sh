# In place: no files, a file called -, links.
cd "$(mktemp -d)" || exit 1
try() { sed "$@" 2>&1; echo "status $?"; }
try -i p
try -n -i p < /dev/null
echo abc > -; try -i s/b/X/ -; cat ./-; try -i.bak s/X/Y/ ./-; cat ./- ./-.bak
echo x > a; ln -s a l; ln -s l m; mkdir d; ln -s ../a d/n
for f in l m d/n; do try --follow-symlinks -n F "$f"; done
try --follow-symlinks -i s/x/y/ m; cat a; readlink m l
try --follow-symlinks p missing
ln -s loop loop; try --follow-symlinks -i p loop
