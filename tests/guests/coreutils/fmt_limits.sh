cd "$(mktemp -d)" || exit 1
exec 2>&1; f() { fmt "$@" /dev/null; echo "rc=$?"; }
f -w 20 -g 30; f -g 80; f -g 75; f -w x; f -g x; f -w 3000; f -w 20 -g 0; f -40 -g 41; f -w 99999999999999999999; f -Z
