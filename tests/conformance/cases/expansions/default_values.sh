exec 2>&1
echo ${x+a} ${x=b} $x; unset x; echo "${x:-a b}" ${x:-a b} "${x:-}" ; y="p q"; echo "${y:+"$y" z}" ${y:+"$y" z}; echo ${y:+'a  b'} "${y:+'a  b'}"; echo ${z:-$y} "${z:-$y}" ${z:-"$y"}; echo ${z-${y#p }}; printf '[%s]' ${z:-a "b c" d}; echo; printf '[%s]' "${z:-a "b c" d}"; echo; echo "${z:-\}}" ${z:-\}} "${z:-"}"}" ${z:-{a,b}}
