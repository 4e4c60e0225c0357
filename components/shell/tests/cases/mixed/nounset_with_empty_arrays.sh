set -u; a=(); for x in "${a[@]}"; do :; done; echo "${a[*]:-none}"; echo ${1:-noarg}; echo ${#a[@]}; (echo $undef) 2>/dev/null || echo failed
