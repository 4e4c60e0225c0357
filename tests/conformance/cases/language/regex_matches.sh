exec 2>&1
[[ abc =~ ^(a)(b)(.)$ ]] && echo "${BASH_REMATCH[@]}"; re='([0-9]+)-([0-9]+)'; [[ x12-34y =~ $re ]]; declare -p BASH_REMATCH; [[ a =~ "." ]]; echo $?; [[ "a b" =~ a\ b ]]; echo $?; [[ abc == a* ]]; echo $?; [[ abc == "a*" ]]; echo $?; [[ a < b ]]; echo $?; [[ 10 -gt 9 ]]; echo $?; [[ x =~ [ ]]; echo $?
