f() { echo "in f: ${FUNCNAME[0]} called from ${FUNCNAME[1]}"; }; g() { f; }; g; echo "${BASH_LINENO[0]}"
