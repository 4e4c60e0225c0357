cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/b/\o101\d66/'
s '2{s/b/x/;T;s/x/y/}'
s '{p}'
s '{p;p'
