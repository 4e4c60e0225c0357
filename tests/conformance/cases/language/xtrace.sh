exec 2>&1
set -x; a=1; echo "$a b" 'c d'; [[ $a == 1 && x < y ]]; ((a++)); for i in 1 2; do :; done; case $a in 2) echo two;; esac; f() { local z=3; echo $z; }; f; x=(1 2); y[3]=4; echo $(echo sub); echo > /dev/null; PS4='+ $LINENO: '; echo hi; set +x
