cd "$(mktemp -d)" || exit 1
umask 022; mkdir a; mkdir -m 700 b; mkdir -m u=rwx,go= c; mkdir -p d/e/f; mkdir -p -m 711 g/h; mkdir a; echo $?; mkdir -p a; echo $?; mkdir -v x/y; echo $?; mkdir -pv x/y; for i in a b c d g g/h; do stat -c '%a %n' $i; done; touch f; mkdir -p f/g; echo $?
