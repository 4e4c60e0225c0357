# `${!ref:…}` slices the variable that the reference leads to.
a3=(1 2 3)
declare -A keys=([d]='a3[@]')
printf '[%s]' "${!keys[@]:1}"; echo
ref='a3[@]'; printf '[%s]' "${!ref:1}" "${!ref:1:1}" "${!ref: -1}"; echo
unset ref; ref=('a3[@]'); printf '[%s]' "${!ref[@]:1}" "${!ref:2}"; echo
set -- p q r; ref=@; printf '[%s]' "${!ref:2}"; echo
unset ref; declare -A few=([x]=1 [y]=2); ref='few[@]'; printf '[%s]' "${!ref:1}" | wc -c
sparse=([3]=c [7]=d); ref='sparse[*]'; printf '[%s]' "${!ref:4}"; echo
