# What cannot be written ends `((…))`, not the line; a wrong subscript is reported and changes nothing.
t() { (eval "$1") 2>&1 | sed "s/^.*: line [0-9]*: //"; }
t 'readonly r=3; ((r=4)); echo $?; ((r++)); echo $?; echo $((r+=1)); echo no'
t 'readonly -a r=(3); ((r[0]=4)); echo $?; ((r[0]++)); echo $? ${r[0]}'
t 'a=(1 2 3); ((a[-5]=3)); echo $?; echo $((a[-5])); echo $((a[-5]++)); ((a[-5]+=3)); echo "${a[@]}"'
t 'a=(1 2 3) x=1; ((a[x++ + 1/0])); echo no'
t 'a=(1 2 3) x=1; ((a[x++ +])); echo no'
t 'a=(1 2 3); echo ${a[1/0]}; echo no'
