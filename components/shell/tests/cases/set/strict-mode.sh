# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
set -euo pipefail; IFS=$'\n\t'; main() { local a="${1:-default}"; echo "$a"; local -a files=(); for f in "${files[@]}"; do echo never; done; [[ -n "${FOO:-}" ]] && echo foo; echo after; }; main; echo ${UNSET_VAR}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
