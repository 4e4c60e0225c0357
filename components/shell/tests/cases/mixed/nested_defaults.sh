echo ${x:=$(echo computed)}; echo $x; echo ${y:-${x}${x}}; z=${w:+no}; echo "[$z]"; echo "${v:-'quoted'}" ${v:-"dq $x"}
