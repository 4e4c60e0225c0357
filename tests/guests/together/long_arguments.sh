# A mebibyte of arguments arrives; more than two are refused in bash's words. Pipes carry what is larger.
set -- $(seq 100000 | sed 's/$/xx/'); /usr/bin/printf '%s\n' "$@" | wc -cl
long=$(head -c 1048576 /dev/zero | tr '\0' x); /usr/bin/printf %s "$long" | wc -c
python3 -c 'import sys; print(len(sys.argv), len(sys.argv[1]))' "$long"
sh -c '/usr/bin/echo "$@"' sh "$long" "$long" 2>&1 | cut -c1-80; env "A=$long" "B=$long" true 2>&1; echo "status $?"
seq 300000 | xargs | tr ' ' '\n' | tail -n 1
head -c 52428800 /dev/zero | cat | wc -c; head -c 52428800 /dev/zero | python3 -c 'import sys; print(len(sys.stdin.buffer.read()))'
head -c 52428800 /dev/zero | tr '\0' x | (IFS= read -r -n 3 x; echo "$x"; wc -c)
