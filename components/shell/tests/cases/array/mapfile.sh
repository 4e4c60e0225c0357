printf 'l1\nl2\nl3\n' > f; mapfile -t a < f; echo ${#a[@]} ${a[1]}; mapfile b < f; echo -n "${b[0]}"; readarray -t -n 2 -s 1 c < f; echo ${c[@]}
