cd "$(mktemp -d)" || exit 1
for t in cat sort wc date seq; do $t --version >/dev/null; echo "$t $?"; done
