exec 2>&1
printf '%d\n' 0x1F 010 "'A" abc; echo $?; printf '%i\n' 12abc; echo $?; printf '%s\n'; printf '%d\n'; printf '%u\n' -1; printf '\x41\101\u00e9\n'; printf '%b' 'a\cb'; echo; printf '%Z\n' x; echo $?
