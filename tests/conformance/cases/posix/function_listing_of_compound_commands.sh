exec 2>&1
declare -f nope; echo $?; f() { if [ a = a ]; then echo "x y" | cat > /dev/null 2>&1 & wait; else :; fi; while read x; do case $x in a|b) echo;; *) ;; esac; done < <(echo q); for ((i=0;i<2;i++)) do { echo; }; done; select z in a; do break; done; until false; do break; done; ( a; b ) || c && ! d; x=(1 2 "3 4") y[2]=z; cat <<E
body $x
E
[[ -n $x && ( a == b || ! c ) ]]; (( i++ )); time ls; coproc cat; echo ${x:-y} $'a\n' "$(ls)" `ls` <(a) >(b) {a,b}; }; declare -f f
