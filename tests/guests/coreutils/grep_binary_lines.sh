cd "$(mktemp -d)" || exit 1
