# Copying a file onto itself, by its name, a link or a symbolic link; onto a file just made; backups of a source.
cd "$(mktemp -d)"
exec 2>&1
try() { echo "+ $*"; "$@"; echo "status $?"; }
echo foo > foo; ln foo hard; ln -s foo soft; ln -s foo soft2
try cp foo foo
try cp -f foo foo
try cp --remove-destination foo foo
try cp -b foo foo
try cp -bf foo foo; cat foo foo~; rm foo~
try cp foo hard
try cp -f foo soft
try cp -d soft foo
try cp -l foo hard
try cp -l foo soft
try cp -s foo soft
try cp -sf foo soft; readlink soft
try cp -b foo soft2; readlink soft2~; cat soft2
try cp --remove-destination foo hard; stat -c %h foo hard
try mv foo foo
ln foo again
try mv foo again
mkdir a b c; echo 1 > a/f; echo 2 > b/f
try cp a/f b/f c; cat c/f
rm c/f
try mv a/f b/f c; cat c/f; ls b
echo x > s~; echo y > s
try cp --backup=simple s~ s
try mv --backup=simple s~ s
try cp foo ./foo c; ls c
try cp -r a a c
try cp -b s foo -v
try mv -vb s foo
try cp --sparse=x foo bar
try cp --parents foo nodir
try cp -n foo c/f; cat c/f
mkdir -p from/sub to; echo 1 > from/sub/x; echo 2 > from/.hidden
try cp -r from/. to; find to | sort
mkdir there; ln -s ../outside there/sub; mkdir outside
try cp -r from/. there; find outside
