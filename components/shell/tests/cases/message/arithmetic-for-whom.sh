cat > s.sh <<'SCRIPT'
# Arithmetic errors name the command or parameter that they belong to.
x='?y'; f='a b'; declare -A m=([k]='+'); arr=('1 1'); sp=5
( echo ${f:x} ); ( echo ${arr[0]:x} ); ( echo ${arr[@]:x} ); ( echo ${@:x} ); ( echo ${*:x:1} ); ( ref=f; echo ${!ref:x}); ( echo ${f:1:x} )
( echo $((x)) ); ( ((x)) ); ( [[ x -eq 1 ]] ); ( [[ m[k] -eq 1 ]] ); ( declare -i t=x; echo "$?" ); ( f() { local -i t=x; echo no; }; f; echo $? )
( typeset -i t; t=x; echo no ); (let t=x); ( declare -i t; declare t=x; echo $?); ( declare -ai t=(x); echo $? ); ( for ((i=x;;)); do :; done; echo $? )
( echo $(( 1 ? 2 : sp = 3 )) ); ( echo $(( sp ? sp = 4 : 3 )) ); ( echo $(( 1 , sp = 3 ))); (echo $(( a:b ))); (echo $(( 1:2 )))
n=1; ( : ${f:1: -9} ); ( : ${f:(n=1): -9 + 1 }); (n=-9; : ${f:1:n} ); (n=-9; : ${f:1:$n} ); ( : ${@:1: -1} ); arr=(1 2 3); ( : ${arr[@]:0:1-2} )
na=(); declare -a nb; declare -A nm=(); y=?; (: ${na[@]:y}); ( : ${nb[@]:y}); (: ${nm[@]:y}); ( : ${u[@]:y} ); set --; (: ${@:y}); (: ${na:y}); (: ${e:y}); e=; ( : ${e:y} )
IFS=:; x='a:b'; ( : ${u?$x} ); IFS=' '; x='a    b *c'; ( : ${u?$x} ); ( : ${u?  $x  "q  r" } ); (: "${u?$x y}")
fd=11; echo y >&$fd; echo y >&12; cat <&$fd; declare -p n u e
SCRIPT
bash s.sh 2>&1
echo "status $?"
