echo 'echo ${BASH_SOURCE[0]} ${#BASH_SOURCE[@]}; f() { echo ${BASH_SOURCE[0]}; }' > s.sh; . ./s.sh; f
