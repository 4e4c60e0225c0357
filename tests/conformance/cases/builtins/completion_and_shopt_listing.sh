exec 2>&1
compgen -W "apple ape bat" ap; compgen -b | head -3; compgen -A function; complete -W "a b" foo; complete -p; complete -r foo; compgen -v BASH_V; compgen -k | wc -l; compgen -c ech; shopt -p extglob; shopt | wc -l; set -o | head -3; set +o | head -2; echo $-; shopt -q extglob; echo $?; shopt -s nosuch; echo $?
