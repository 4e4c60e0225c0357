cd "$(mktemp -d)" || exit 1
nohup echo hi 2>/dev/null; nohup nope 2>/dev/null; echo $?; nice -n 5 echo a; nice echo b; nice nope 2>/dev/null; echo $?
nice --bogus echo a 2>&1; echo $?
