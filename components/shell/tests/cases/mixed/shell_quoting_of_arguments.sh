set -- "a b" 'c"d'; printf '%q ' "$@"; echo; echo "${@@Q}"; echo "${*@Q}"
