cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
printf %s $'a/b/c\n' | r 'sed' 's/\//|/g'
printf %s $'abc\n' | r 'sed' '-e' 'y/abc/\n\\\//'
printf %s $'abc\n' | r 'sed' '/a/c\' '-e' 'x y'
r 'sed' 'N;N;c X' 'f'
r 'sed' '$!{N;N};c X' 'f'
