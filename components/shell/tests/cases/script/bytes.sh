printf '\377\376\000a' > f; wc -c < f | tr -d ' '; x=$(printf 'caf\303\251'); echo ${#x} "$x"; y=$'\303'; z=$'\251'; echo "$y$z"; [[ $x == caf? ]] && echo one
