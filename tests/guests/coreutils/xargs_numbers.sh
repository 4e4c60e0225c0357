cd "$(mktemp -d)" || exit 1
exec 2>&1; f() { echo "[$*]"; echo a b c | xargs "$@"; echo "rc=$?"; }
f -n ' +2' echo; f -n 0; f -n x; f -n -1; f -L 0; f -l0; f -s 0; f -s x; f -P -1; f -P x; f -n 1x; f -n 99999999999999999999 echo; f -P0 -n1 echo | sort; f -Z; f --max; f -n; f --process-slot-var=A=B echo; f --process-slot-var=A sh -c 'echo $A'
