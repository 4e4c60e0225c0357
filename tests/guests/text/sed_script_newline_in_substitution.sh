cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '$=' '-n'
s $'s/b/x\\\ny/'
s $'s/a\\\nb/x/'
s $'s/a\nb/x/'
