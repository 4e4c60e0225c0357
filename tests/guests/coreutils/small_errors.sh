# messages and statuses of many tools
cd "$(mktemp -d)" || exit
exec 2>&1
mkdir d; touch f; ln -s d ld; ln -s nope dl
for c in 'mktemp -t a/XXX' 'mktemp --tmpdir=a /XXX' 'mktemp -q aXX' 'mktemp -q a b' 'chmod u+gr f' 'chmod -v u+x dl f' 'nice -n 19' 'nice -n 99999999999999999999 true' 'rmdir ld/' 'sync -d' 'sync -df f' 'hostname -d' 'uname -pi' 'chmod 10777 f' 'tail -2cX f' 'tail -c-0fb f' 'cp -P --attributes-only dl f' 'install -C -s f g' 'date --resolution -d now' 'tr a b' 'du --threshold=-0' 'du -B1fb f' 'du -B0 f' 'sort -dfgiMnR f' 'sort -k2.,3 f' 'sort f nope' 'cp --backup -n f d' 'mv -T -t d f'; do $c < .; echo "$c: $?"; done
mkdir ''; pathchk ''; mkdir -p d/p; cp --parents -r d/p/.. d; echo $?; POSIXLY_CORRECT=1 mktemp aXXXX --suffix=b
(umask 0777; mkdir -p q/r; stat -c %a q q/r); chmod 744 f; chmod -0700 f; stat -c %a f
chmod 644 f; ln -s loop loop; cp -f f loop; stat -c %F loop; touch m; (umask 077; install -m +w f m2); stat -c %a m2
