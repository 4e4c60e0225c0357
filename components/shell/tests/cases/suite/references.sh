foo=one; declare -n bar=foo; echo ${bar}; declare +n bar; echo "$bar"; declare -p bar
declare -n r=arr; arr=(1 2 3); r[1]=x; echo "${r[@]}" "${#r[@]}" "${!r}" "${!r[@]}"; r+=(4); unset 'r[0]'; declare -p arr
declare -n e='arr[2]'; echo $e; e=7; echo ${arr[2]}; unset e; declare -p arr; unset -n e; declare -p e
f() { local -n ref=$1; ref=5; ref+=6; echo ${ref}; }; f v; echo $v; g() { declare -n q=$1; q=(a b); }; g w; declare -p w
declare -n bad=1x; echo $?; declare -n emp=; echo $?; declare -n nn; nn=target; target=T; echo $nn; nn=T2; echo $target
for n in a1 b1; do :; done; declare -n loop; a1=A b1=B; for loop in a1 b1; do echo $loop; done
readonly ro=1; declare -n rr=ro; rr=2; echo $?; unset rr; echo $?
declare -n d1=d2 d2=d3; d3=z; echo $d1 ${!d1}; d1=y; echo $d3; declare -p d1 d2; unset -n d1; echo ${d1-gone} $d2
[[ -R d2 ]] && echo isref; [[ -v d2 ]] && echo set; test -R d3 || echo notref
declare -n ur=unsetvar; echo "${ur-none}"; ur[2]=k; declare -p unsetvar; declare -A as; declare -n ra=as; ra[key]=v; echo "${ra[key]} ${!ra[@]} ${ra[@]@A}"
typeset -n tr=trv; export tr=ex; declare -p trv tr; printenv trv; readonly tr; trv=1; echo after
declare -i num=5; declare -n rn=num; rn=3*4; echo $num; ((rn++)); echo $num; read rn <<< 20+1; echo $num; printf -v rn %d 9; echo $num; rn[0]=4; declare -p num
mapfile -t rm < <(printf 'a\nb\n'); declare -n rma=mm; mapfile -t rma < <(printf 'a\nb\n'); declare -p mm; rma=([5]=q); declare -p mm
declare -n x1=x2; x2=5; declare -n x1=x3; x3=6; echo $x1; declare -n; unset x1; declare -p x3
k() { local -n arr1=$1; local -a copy=("${arr1[@]}"); echo "${copy[*]} ${#arr1[*]}"; arr1[9]=n; }; src=(p q); k src; declare -p src
declare -a la=(1 2); declare -n la; echo $?; declare -n lp='la[@]'; echo "${lp}"; lp=3; echo $?
bar=one; declare -n foo=bar; declare +n foo=other; echo "$foo $bar"; declare -p foo
declare -n ref='var[3]'; declare ref=X; declare -p ref var; declare ref+=Y; declare -p var; declare -i ref; declare -p ref var
array=(one two); declare -n array; echo $?; declare -n 'array[1]=x'; echo $?; declare -n array=zero; echo $?; declare -p array
i=2; arr=(a b c d); declare -n ei='arr[$i]'; echo $ei; ei=Z; echo ${arr[2]}; read 'arr[i+1]' <<< rd; printf -v 'arr[$i]' pv; echo "${arr[@]}"
[[ -v arr[$i] ]] && echo v1; [[ -v 'arr[$i]' ]] && echo v2; test -v 'arr[i+9]' || echo v3; unset 'arr[$i]'; declare -p arr
f() { local -n r='a[1]'; local -a a=(x y); echo $r; r+=z; declare -p a; }; f
declare x[3]=q; declare -p x; declare 'y[2]=w' ; declare -p y; declare -i z[4]=1+2; declare -p z
