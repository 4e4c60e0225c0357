exec 2>&1
[[ -n "" ]]; echo $?; [[ ! -n x ]]; echo $?; [[ -n x && -z "" ]]; echo $?; [[ x ]]; echo $?; [[ "-n" ]]; echo $?; [[ "-n" == -n ]]; echo $?; [[ -f / || -d / ]]; echo $?; [[ ( -n x ) ]]; echo $?; [[ -o errexit ]]; echo $?; [[ -v HOME ]]; echo $?; [[ -- ]]; echo $?; [[ - ]]; echo $?; [[ -n= ]]; echo $?; [[ $x -eq 0 ]]; echo $?; [[ -5 -lt 3 ]]; echo $?; [[ -R y ]]; echo $?
