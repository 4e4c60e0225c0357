cd "$(mktemp -d)" || exit 1
f() { xargs -E STOP "$@"; }
printf 'a\nSTOP' | f echo; printf 'STOP' | f echo y; printf 'a STOP' | f echo; printf ' STOP' | f echo y; printf 'a STOP\nb\n' | f echo; printf 'a b\nSTOP\nc\n' | f -n1 echo; printf 'x STOP y\nz\n' | f -L1 echo
