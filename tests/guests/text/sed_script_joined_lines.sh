cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '$!N;s/\n/-/'
s ':a;N;$!ba;s/\n/,/g'
s 'H;$!d;x;s/\n/,/g'
s '-n' 'H;${x;s/\n/,/g;p}'
