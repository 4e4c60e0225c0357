exec 2>&1
x=; echo ${x:?}; echo no
