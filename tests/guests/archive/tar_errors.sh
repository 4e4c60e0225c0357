cd "$(mktemp -d)" || exit 1
tar 2>&1; echo $?; tar cf x.tar 2>&1; echo $?; tar tf nofile 2>&1; echo $?; tar cf x.tar nofile 2>&1; echo $?; tar -q 2>&1 | head -1; tar --bogus 2>&1 | head -1; tar ctf x 2>&1 | head -1
