[[ -r <(true) ]] && echo readable
[[ -e <(true) && ! -d <(true) ]] && echo there
[[ $(cat <(echo a)) == a ]] && echo same
[[ <(true) == /dev/fd/* ]] && echo name
[[ /dev/fd/63 == <(true)* ]] && echo "pattern"
[[ <(true) ]] && echo word
[[ -w >(cat) ]] && echo w
[[ x<(true) == x/dev/fd/* ]] && echo joined
[[ a < b ]] && echo less
[[ a <b ]] && echo less
[[ b>a ]] && echo more
[[ (a < b) ]] && echo grouped
[[ '<a>' =~ ^'<'(a|b)'>'$ ]] && echo "${BASH_REMATCH[1]}"
[[ /dev/fd/63 =~ ^<(true)$ ]] && echo re
f() { [[ -r <(true) || x == >(cat) ]]; }; declare -f f
[[ -r /dev/stdin && -e /dev/fd/0 && ! -e /dev/fd/77 ]] && echo stdin
exec 7</dev/null
[[ /dev/fd/7 -ef /dev/null && -r /dev/fd/7 && -c /dev/fd/7 ]] && echo null
test -p <(true) && [ -r <(true) ] && echo pipe
