cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
r 'sed' '1r f' 'g'
r 'sed' '-z' 's/^./X/mg' 'f'
r 'sed' '-s' 'F;1d' 'f' 'g'
r 'sed' '-n' '/b/,/c/{//!p}' 'f'
r 'sed' '-n' '/B/,$p' 'f'
