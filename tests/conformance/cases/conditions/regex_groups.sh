exec 2>&1
[[ abc =~ (a|b) ]] && echo yes; [[ "a b" =~ (a b) ]]; echo $?; [[ ab =~ ^(a)(b)?$ ]]; echo ${BASH_REMATCH[2]}
