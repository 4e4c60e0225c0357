cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'ba ;p;: a'
s ':a;s/^.\{1,3\}$/ &/;ta'
s 'tx;:x'
s '-E' 's/(.)/\1\1/g;s/(.)\1/<\1>/'
