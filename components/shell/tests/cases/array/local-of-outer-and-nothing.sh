cat > s.sh <<'SCRIPT'
arr=(1 2); f() { local arr=("${arr[@]}" 3); declare -p arr; }; f
g() { local -A map=([k]="${map[k]}" [n]=1); declare -p map; }; declare -A map=([k]=outer); g
h() { local -a arr=("${arr[0]}"); declare -p arr; declare -a b=("${b[@]}" 1); declare -p b; }; b=(x); h
i() { local arr=([1]="${arr[1]}" [0]=${#arr[@]}); declare -p arr; }; i
p() { printf '%d' $#; printf '<%s>' "$@"; echo; }; set --; none=(); unset none; na=()
p "${none[@]-$@}"; p "${@-$@}"; p "${@:-$@}"; p "${none[@]:-$@}"; p "${none-$@}"; p "${@+$@}"; p "${none[@]+$@}"; p "${none[@]-${na[@]}}"; p "${@}"; p "${@-}"; p "${na[@]-}"; p "${na[@]:-}"; p "${na[@]+x}"; p "${@:+x}"; p "${@:1}"; p "${na[@]#x}"; p "${na[@]@Q}"; p "${na[@]/a/b}${@}"; p "$@${none}"; p "$@$@"; p "${@-"$@"}"; p "${@-"${na[@]}"}"; p ${@-"$@"}; p "${u-$@}"; p "${u-"$@"}"; p ${u-"$@"}; p "${u+$@}"; p "${em+$@}"; em=; p "${em+$@}"; p "${em:-$@}"; p "${em:+$@}"
t=([5]={a,b}x [2]=z); declare -p t; t=([1]={a,b}); declare -p t; declare -a v=([1]={x,y}z); declare -p v; declare -A w=([k]={a,b}); declare -p w
(: ${none[@]=x}; echo $?); (echo ${none[*]:=x}; echo no) ; echo $?; ( echo ${@=x}; echo no); echo $?; (echo ${*:=x}); echo $?; (echo "${1=x}"); echo $?; (na=(1); echo ${na[@]=x}); echo $?; (declare -A m; echo ${m[@]=x}); echo $?; (f() { echo ${none[@]=x}; }; f; echo after); echo $?
(echo ${#na[-1]}; echo $?); (echo ${na[-1]}; echo $?); (echo ${#none[-1]}; echo $?); (na=(1); echo ${#na[-5]}; echo $?); (na=(1); echo ${na[-5]} x; echo $?); (na=(1); echo ${na[-5]-d}; echo $?);(na=(1); echo $((na[-5])); echo $?); (na=(1); na[-5]=1; echo $?); (na=(1); [[ ${na[-5]} ]]; echo $?); (na=(1); t=${na[-5]}; echo $?)

while :; do break; done; echo "${PIPESTATUS[@]}"; until false && x || break; do :; done; echo "${PIPESTATUS[@]}"; for i in 1 2; do false | continue; done; echo "${PIPESTATUS[@]}"; for i in 1 2; do false; continue; done; echo "${PIPESTATUS[@]}"
echo $((2 + 1x + 3)); echo $((2 + 08 + 3)); echo $((37#1 + 1)); echo $((3#9 + 1)); echo $((1 + 2#2)); echo $((1a))
SCRIPT
bash s.sh 2>&1
echo "status $?"
