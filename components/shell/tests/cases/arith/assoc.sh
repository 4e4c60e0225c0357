declare -A h=([k]=5); echo $((h[k]+1)) $((h[k]*=2)); k2=k; echo $((h[$k2])); ((h[new]++)); echo ${h[new]}
