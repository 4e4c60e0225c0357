set -- a b c; echo $#; set -- ; echo $#; set x y; echo $1 $2; set -- -a -b; echo $1; set -e -- p q; echo $2 $#; set - z; echo $1
