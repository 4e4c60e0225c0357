exec 2>&1
set a b c; echo $-; set -- -x; echo $1; set - y; echo $1; set +x; set -e -u; echo $-; set +eu; set -o | wc -l; set -abhk; echo $-; set +abk; echo $-; set -o allexport; v=1; env | grep ^v=; set +a; set -f; echo *; set +f; set -n; echo no
