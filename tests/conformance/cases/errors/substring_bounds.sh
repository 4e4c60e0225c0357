exec 2>&1
x=5; echo ${x:1:-3}; echo $?; echo ${x:a}; y=hello; echo ${y:10} ${y:-2} ${y: -10} ${y:0:100} "${y:2:0}"; echo ${y:1+1:6/2}; echo ${y:$((1))}; echo ${@:0:1}; echo "${y:5}" ${y::2} ${y:::}
