declare -A m; m[one]=1; m["two words"]=2; m[$((1+2))]=3; echo ${m[one]} ${m["two words"]} ${m[3]} ${#m[@]}
