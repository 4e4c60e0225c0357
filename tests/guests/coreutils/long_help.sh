cd "$(mktemp -d)" || exit 1
for t in ls cp mv grep find xargs env du df stat chmod mkdir tac timeout; do $t --help > h 2>&1; echo "$t $? $(head -1 h | cut -c1-6)"; done; for t in cat sort head wc cut; do $t --help > h 2>&1; echo "$t $?"; done
