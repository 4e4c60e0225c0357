{ set -x; x=1; echo $x "a b" ''; [ a = a ]; [[ a == a ]]; ((x++)); for i in 1 2; do :; done; case a in a) :;; esac; set +x; } 2>&1 | cat
