cd "$(mktemp -d)" || exit 1
seq 20000 | xargs | wc -l | tr -d ' '; seq 20000 | xargs -s 1000 | head -1 | wc -c; seq 10 | xargs -s 20 echo; echo abcdefghijklmnopqrstuvwxyz | xargs -s 10 echo 2>/dev/null; echo $?
