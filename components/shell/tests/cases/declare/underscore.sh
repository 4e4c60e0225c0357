# `$_` is the last word of a declaration.
declare x=5; echo "$_"; export y=7 z; echo "$_"
f() { local q=1; echo "$_"; }; f
declare -a arr=(1 2); echo "$_"; typeset k=v a; echo "$_"; declare x+=5; echo "$_"; declare x=$y$y; echo "$_"
_="test value"; declare -n ref=_; echo "$ref"
declare -A m=([a]=1); unset 'm[$nothing]' 2>/dev/null; echo "$? ${#m[@]}"
_=given bash -c 'echo "${_##*/}"; (exec env) | grep "^_=" | sed "s,.*/,,"'
