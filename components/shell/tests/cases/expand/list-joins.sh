# The separator between the elements of a list that is not split, for each IFS, operator and place.
arr=(1 2 3); set -- 1 2 3
for IFS in '' ':' ; do
for name in 'arr[@]' 'arr[*]' '@' '*' '!arr[@]' '!arr[*]'; do
for op in '' '#a' '/b/X' '^' ':0:3' '@Q' '-d' '+d'; do
  case $name$op in !*?) [ -z "$op" ] || continue; esac
  e="\${$name$op}"
  printf '%-8q %-16s' "$IFS" "$e"
  f() { t="$1"; t=${t//[!1-3: ]/}; t=${t//[13]/}; printf '%s=%-4s' "$2" "${t//2/.}"; }
  eval "t=$e"; f "$t" as
  eval "t=\"$e\""; f "$t" qas
  eval "t=x$e"; f "$t" xas
  eval "declare t=$e"; f "$t" dec
  eval "declare t=\"$e\""; f "$t" qdec
  f "$(eval "cat <<X
$e
X
")" doc
  f "$(eval "cat <<<$e")" str
  f "$(eval "cat <<<\"$e\"")" qstr
  eval "t=([1]=$e)"; f "${t[1]}" el
  eval "t=([1]=\"$e\")"; f "${t[1]}" qel
  eval "t[1]=$e"; f "${t[1]}" sub
  eval "declare -A m=([1]=$e)"; f "${m[1]}" ael
  eval "t=\${u:-$e}"; f "$t" op
  eval "t=\"\${u:-$e}\""; f "$t" qop
  eval "t=\${u:-\"$e\"}"; f "$t" opq
  t=$(eval "set -x; [[ -n $e ]]" 2>&1); f "${t#*-n}" cond
  t=$(eval "set -x; [[ -n \"$e\" ]]" 2>&1); f "${t#*-n}" qcond
  t=$(eval "set -x; case $e in 1) ;; esac" 2>&1); f "${t#*case}" case
  t=$(eval "set -x; [[ x == $e ]]" 2>&1); f "${t#*==}" pat
  t=$(eval "set -x; [[ x == \"$e\" ]]" 2>&1); f "${t#*==}" qpat
  t=$(eval "printf '<%s>' \${u:-$e}" 2>&1); t=${t//[!<> :]/}; printf 'ow=%s ' "${t//<>/.}"
  t=$(eval "printf '<%s>' \"\${u:-$e}\"" 2>&1); t=${t//[!<> :]/}; printf 'qow=%s ' "${t//<>/.}"
  t=abc; eval "t=\${t/b/$e}"; f "$t" rep
  t=abc; eval "t=\"\${t/b/$e}\""; f "$t" qrep
  echo
done; done; done
