(set -u; echo ${a:-ok}; a=(); echo ${#a[@]}; echo $@; echo "$*"; echo $b; echo no) 2>/dev/null; echo $?
