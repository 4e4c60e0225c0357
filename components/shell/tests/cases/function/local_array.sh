f() { local -a a=(1 2); local -A h=([x]=y); a+=(3); echo ${a[@]} ${h[x]}; }; a=outer; f; echo $a
