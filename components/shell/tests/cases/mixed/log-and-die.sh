# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
log() { printf '[%s] %s\n' "$1" "${*:2}" >&2; }; log INFO starting up 2>&1; die() { log ERROR "$@"; exit 1; }; ( die bad thing ) 2>&1; echo $?; usage() { cat <<EOF
Usage: ${0##*/} [-h] [-v]
EOF
}; usage
END_OF_SCRIPT
)
bash -c "$script" 2>&1
