printf '%d\n' abc 2>/dev/null; echo $?; printf '%d\n' 12x 2>/dev/null; printf 2>/dev/null; echo $?; printf '%s\n' -- ; printf -- '-x\n'
