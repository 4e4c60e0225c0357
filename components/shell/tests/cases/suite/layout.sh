f() {
  x=$( a; b  )
  y="$(
    one "$( two   x )" |   three
    four
  )"
  echo ${z:-$( ls  -l )} `back   tick` $(<file) $( < file ) "$( if x; then y; fi )"
  for i in $( seq 1   3 ); do :; done
  case $( echo   a ) in $( echo  b )) ;; esac
  cat <<EOF
$( echo   in   here )
EOF
  a=( $( one;two ) "$( three;four )" )
  [[ $( a  b ) == $( c  d ) ]]
  diff <( a;b ) >( c;d )
  v=$( # comment
   cmd   )
  w=$( (sub;shell) ) u=$({ brace;group; })
  cat $( cat <<X
hi
X
)
  t=$(a && b || c & d)
  s=$(while read l; do echo  $l; done < <( cat x ))
  r=$()
  q=$(( 1+ $( echo   2 ) ))
  p=$(case x in a) b;; esac)
}
declare -f f
declare -f f
f() {
  cat <<EOF
x
EOF
  a
  b
}
declare -f f
f() {
  cat <<EOF
x
EOF
  a=1
  b
  cat <<EOF
y
EOF
  c
  d
  cat <<EOF
y
EOF
  e
  f
}
declare -f f
f() {
  a
  cat <<EOF
y
EOF
  c
  cat <<EOF
y
EOF
  e
  if a; then cat <<EOF
t
EOF
  fi
  k
  l
  while cat <<EOF
t
EOF
  do c; done
  m
  n
}
declare -f f
