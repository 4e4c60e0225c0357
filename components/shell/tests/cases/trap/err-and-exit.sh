# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
set -eE; trap 'echo "err at $LINENO rc $?"' ERR; trap 'echo "exit $?"' EXIT
g() { ls /nonexistent 2>/dev/null; echo no; }
g
echo unreached
END_OF_SCRIPT
)
bash -c "$script" 2>&1
