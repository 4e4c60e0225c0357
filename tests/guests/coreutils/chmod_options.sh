# Modes that look like options, links, bits that the umask removes.
cd "$(mktemp -d)"
exec 2>&1
try() { echo "+ $*"; "$@"; echo "status $?"; }
mode() { stat -c '%a %n' "$@"; }
mkdir d; touch d/f; ln -s f d/l; ln -s none d/n; ln -s d dl
chmod 777 d/f
try chmod -w d/f; mode d/f
chmod 644 d/f
try chmod -x,+x d/f; mode d/f
echo '+ chmod -R -v g+w d | sort'; chmod -R -v g+w d | sort; mode d d/f
try chmod -- -r d/f; mode d/f
try chmod --preserve-root -R 755 /
chmod 755 d/f
try chmod u=rwx,g=rx,o= d/f; mode d/f
try chmod d/n
try chmod 644 d/n
umask 077; touch p; mode p; mkdir q; mode q; cp d/f r; mode r
