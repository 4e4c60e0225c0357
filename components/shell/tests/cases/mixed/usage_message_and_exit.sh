usage() { cat >&2 <<EOF
Usage: $0
EOF
exit 1; }; (usage 2>/dev/null); echo $?
