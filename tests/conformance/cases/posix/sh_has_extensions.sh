exec 2>&1
sh -c 'echo ${BASH_VERSION%%.*} $0 $-; [[ a == a ]] && echo dbl; a=(1 2); echo ${a[1]}; echo -e "x\ty"; x=y; echo ${x^}; echo {1..3}; set -o | grep posix; shopt expand_aliases; echo <(echo) | head -c 5' 2>&1
