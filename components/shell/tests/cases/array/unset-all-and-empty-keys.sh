cat > s.sh <<'SCRIPT'
a=(1 2); unset "a[@]"; declare -p a; a=(1 2); unset "a[*]"; declare -p a; declare -A m=([k]=1 [@]=2); unset "m[@]"; declare -p m
x=; echo "[${m[$x]}]" $?; echo "[${m[""]-d}]"; [[ -n ${m[$x]} ]]; echo $?; s=; ref=s; ( : ${!ref:?gone} ); ( : ${s:?gone} )
x=' '; echo "${x[@]@k}" "${x[@]@K}" ${x@k}; declare -A m=(['a b']=1 [k]='c d' ['x"y']=2 ['$z']=3); echo "${m[@]@K}"; printf '<%s>' "${m[@]@k}"; echo
p() { printf '%d ' $#; }; arr=(); set --; p "$*"; p "${arr[*]}"; p "$@$*"; p "$*$@"; p "x${arr[*]}"; p "${arr[*]}${arr[@]}"; p "${arr[@]}${arr[*]}"; p "${*}${u}"; p "${*:1}"; p "${!arr[*]}"; p "${!arr[@]}"; p "${arr[*]#x}"; p "${arr[*]-}"; p "$@${*}"; p "${none[*]}$@"; echo
em=; unset none; p "$@$none"; p "$@$em"; p "$em$@"; p "$none$@"; p "$@${em:-}"; p "$@${none+x}"; p "$@""$none"; p "${em}$@${none}"; p "$@$(:)"; p "$(:)$@"; p "${na[@]}$none"; p "$none${na[@]}"; p "$none"; p "$none$@$em"; p "$@${em#x}" ; p "$@$1" "$1$@" "$@$((1))"; echo
t=${!none} echo hi
echo "a $?"; (t=${none?x} echo hi; echo "b $?"); t=$((1+)) echo hi
echo "c $?"; (readonly r=1; r=2 echo hi; echo "d $?"); (declare -i i; i=1+ echo hi; echo "e $?"); f() { t=${!none} :; echo no; }; f; echo "g $?"
SCRIPT
bash s.sh 2>&1
echo "status $?"
