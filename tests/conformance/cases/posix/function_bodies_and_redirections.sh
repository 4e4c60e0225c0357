exec 2>&1
f() { cat; } <<< here; f; g() { echo $1; } > out; g x; cat out; h() if true; then echo if; fi; h; k() for i in 1 2; do echo $i; done; k; l() [[ $1 == a ]]; l a; echo $?; m() ((1)); m; echo $?; declare -f h k l; function n { echo n; }; function o() { echo o; }; n; o; p() ( x=5; echo $x ); p; echo ${x-u}; q() { echo q; } 2>&1; declare -f q f g
