# ${list[@]@A} expands to the words of a command.
p() { printf '%d' $#; printf '<%s>' "$@"; echo; }
arr=('a b' xbc '' 'd*e'); declare -A map=([k]='v w'); set -- 'p 1' pbq ''; set -f; one=(1)
for IFS in ' ' '' ':' ': '; do
  for name in 'arr[@]' 'arr[*]' '@' '*' 'map[@]' 'one[@]'; do
    eval "p \${$name@A}; p \"\${$name@A}\"; p \"x\${$name@A}y\"; p \${u:-\"\${$name@A}\"}; t=\${$name@A}; p \"\$t\"; t=\"\${$name@A}\"; p \"\$t\""
  done
done
IFS=' '; eval "${arr[@]@A}"; eval "${@@A}"; p "$@"
