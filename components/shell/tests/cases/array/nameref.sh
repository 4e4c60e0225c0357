f() { local -n r=$1; r+=(new); r[0]=changed; }; arr=(a b); f arr; echo ${arr[@]}
