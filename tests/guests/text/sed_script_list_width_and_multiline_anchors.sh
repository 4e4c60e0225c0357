cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '-l' '5' '-n' 's/$/aaaaaaaa/;l'
s 'N;N;s/^/x/mg'
s 'N;N;s/$/x/mg'
s 'N;N;s/\`./X/mg'
