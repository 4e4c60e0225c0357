# The values of a list are expanded before the array changes, its subscripts are evaluated after that.
a=(3 4 5); a=([a[0]]=x [a[1]]=y); declare -p a
a=(1 2 3); a=([0]=${a[2]} [1]=${a[0]} [${#a[@]}]=${a[1]}); declare -p a
a=(1 2 3); a=([a[1]]=${a[1]} [${a[1]}]=${a[2]}); declare -p a
a=(1 2 3); a=([k=4]=x [k+1]=$k w); declare -p a k
a=(1 2 3); a=([0]=x [-1]=y [2]=z); declare -p a
a=(1 2 3); a=([2]=w [-1]=x [-2]=y [-9]=z) 2> /dev/null; declare -p a
a=(1 2 3); a+=([-1]=x [-3]=q [a[1]]=w); declare -p a
a=(1 2); a=([0]+=4 [0]+=5); declare -p a; a+=([0]+=6); declare -p a
declare -i n=(1+1 [3]=2*3 [3]+=4); declare -p n; unset n
f() { local a=([a[1]]=${a[0]}); declare -p a; }; a=(7 8); f; declare -p a
declare -a a=([a[0]]=x [1]=${a[1]}); declare -p a
