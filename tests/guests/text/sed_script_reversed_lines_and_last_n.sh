cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1!G;h;$!d'
s '$!N;$!D'
s 'N'
s '1,3{/b/d}'
