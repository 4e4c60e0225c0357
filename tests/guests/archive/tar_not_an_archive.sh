cd "$(mktemp -d)" || exit 1
seq 2000 > f; tar tf f 2>&1; echo $?; tar tzf f 2>&1; echo $?; : > e; tar tf e; echo $?
