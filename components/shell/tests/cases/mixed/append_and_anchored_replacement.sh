a=1; a+=2; echo $a; declare -i b=1; b+=2; echo $b; s=abc; echo ${s/#/X} ${s/%/Y} ${s//} ${s/b}
