cd "$(mktemp -d)" || exit 1
exec 2>&1; f() { pr "$@" /dev/null; echo "rc=$?"; }
f -l 0; f -l x; f -l 99999999999999999999; f -w 0; f -W x; f -o -1; f -N x; f -n:x; f -e0; f -ixx; f -0; f --columns=x; f --pages=2:1; f --pages=x; f --pages=2x; f +x; f +1:; f -Z; f --page=1; f -h
seq 4 > g; pr -t nope g; echo $?; pr -r -t nope g; echo $?; pr -t . g; echo $?; pr -t +5 g; echo $?; pr -t +2 -l 2 g; pr +0 -t g; pr -t -3 -w 3 g; echo $?
