# Unquoted lists in the word of an operator.
arr=('a:b' 'c d' '' 'e' '' ); set -- 'a:b' 'c d' '' e ''; p() { printf '%s' $#; printf '<%s>' "$@"; echo; }
for IFS in $' \t\n' ' ' ' :' ':' ': ' 'b' 'b ' 'x' 'x ' $'\n' $'\t' $'\t ' $'\n:' ; do
printf '%q ' "$IFS"; p ${u:-$@}
printf '%q ' "$IFS"; p ${u:-${arr[@]}}
printf '%q ' "$IFS"; p ${u:-${arr[@]#z}}
printf '%q ' "$IFS"; p ${x+$@}
printf '%q ' "$IFS"; p ${IFS+q$@}
printf '%q ' "$IFS"; p ${IFS+$@ z}
printf '%q ' "$IFS"; p z${IFS+$@}
printf '%q ' "$IFS"; p ${u:-${u-$@}}
printf '%q ' "$IFS"; p ${u:-$*}
printf '%q ' "$IFS"; p ${u:-"a:b"$*}
printf '%q ' "$IFS"; p ${u:-"$*"}
printf '%q ' "$IFS"; p ${u:-"$@"}
printf '%q ' "$IFS"; p ${u:-"$@"$@}
printf '%q ' "$IFS"; p ${u:-'a:b c'$@}
printf '%q ' "$IFS"; p ${u:-'a:b c'$1"$2"}
printf '%q ' "$IFS"; p "${u:-$@}"
printf '%q ' "$IFS"; p "${u:-${arr[@]}}"
printf '%q ' "$IFS"; p "${u:-x${arr[*]}}"
done
