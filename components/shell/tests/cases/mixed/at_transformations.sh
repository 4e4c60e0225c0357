x=abc; echo "${x@U}" "${x@A}"; declare -a arr=(1 "2 3"); echo "${arr[@]@Q}" "${arr[@]@A}"; declare -A h=([a]=1); echo "${h[@]@A}" "${h[@]@K}"
