exec 2>&1
set -eu; f() { echo "${1:-none}"; }; f; f a; a=(); for i in "${a[@]}"; do :; done; echo "${a[@]:-empty}"; [ -z "${x:-}" ] && echo z; [ -n "${x:-}" ] || echo n; (( 0 )) || true; (( 1 )); i=0; (( i++ )) || true; echo $i; (( i )); let i-- || true; echo end $i; (( i ))
