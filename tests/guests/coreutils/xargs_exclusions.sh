cd "$(mktemp -d)" || exit 1
exec 2>&1; f() { echo "[$*]"; printf 'a\nb\nc\n' | xargs "$@"; echo "rc=$?"; }
f -n2 -L1 echo; f -L1 -n2 echo; f -I{} -L1 echo {}; f -I{} -n2 echo {}; f -n2 -I{} echo {}; f -L2 -I{} echo {}; f -i -l echo {}; f -I{} -n1 echo {}; f --max-args=2 --max-lines=1 echo; f -n1 -I{} echo {}
