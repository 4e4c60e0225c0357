exec 2>&1
x=v; v=w; echo ${!x} ${!v-none}; p1=1 p2=2; echo ${!p*} "${!p@}"; a=(x y); i='a[1]'; echo ${!i}; set -- q; n=1; echo ${!n}; echo ${!#}; ref='x y'; echo ${!ref}; echo $?
