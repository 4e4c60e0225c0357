# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
set -- a b c d; echo ${@:2} ${@:2:2} ${*: -1} ${@:0:1} ${#@} ${#*} "${@/b/B}" "${*#a}" $10 ${10} "${@: -2}"; shift 2; echo $*; set -- "$@" e; echo "$#:$*"; IFS=-; echo "$*" $*; unset IFS; echo "${*}"; for a in "$@"; do echo "<$a>"; done
END_OF_SCRIPT
)
bash -c "$script" 2>&1
