cd "$(mktemp -d)" || exit 1
touch f; for m in 755 u-x g+w,o-r a=r u=rwx,g=u,o= +x -w o+t 0644 ug+s; do chmod $m f; stat -c "%a $m" f; done; chmod -x f; chmod zzz f; echo $?; chmod 644; echo $?; chmod 644 nope; echo $?
