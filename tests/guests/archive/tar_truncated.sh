cd "$(mktemp -d)" || exit 1
seq 5000 > f; tar cf x.tar f; head -c 3000 x.tar > y.tar; cat y.tar | tar tf - 2>&1; echo $?
