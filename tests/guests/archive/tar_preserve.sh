cd "$(mktemp -d)" || exit 1
mkdir d; echo > d/f; chmod 777 d; chmod 666 d/f; tar cf x.tar d; mkdir o p; umask 022; tar xf x.tar --no-same-permissions -C o; stat -c %a o/d o/d/f; tar xpf x.tar -C p; stat -c %a p/d p/d/f
