exec 2>&1
trap 'if' EXIT; echo a
