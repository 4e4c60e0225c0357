exec 2>&1
shopt -s globasciiranges; shopt -p | head -5; shopt -s | head -5; shopt -o errexit; shopt -so pipefail; shopt -o pipefail; shopt -qu extglob; echo $?; shopt -s nullglob dotglob; shopt nullglob dotglob; shopt -u; echo | head -2; shopt -z; echo $?
