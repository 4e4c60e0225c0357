cd "$(mktemp -d)" || exit 1
mkdir -p d/e; echo foo > d/a; echo bar > d/b; echo foo > d/e/c; cd d; grep foo a b; grep -h foo a e/c; grep -H foo a; grep -l foo a b e/c; grep -L foo a b e/c; echo $?; grep -c foo a b; grep -lZ foo a e/c | tr '\0' '|'; echo; grep foo - < a; grep -H foo < a; grep --label=L -H foo < a
