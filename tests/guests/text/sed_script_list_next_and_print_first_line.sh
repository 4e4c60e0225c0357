cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'l;d'
s '2q3'
s 'n;d'
s '$!N;P;D'
