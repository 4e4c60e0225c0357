# The line numbers that the RETURN and DEBUG traps see.
trap 'echo "ret $LINENO ${FUNCNAME[0]}"' RETURN
set -T
f() {
  :
  :
}
g()
{
  :
  return 3

}
h() {
  f
  :
}
f
g
h
k() {
  if true; then
    :
  fi
}
k
l() { :
 echo a; }
l
echo : > src; echo : >> src
. ./src
n() {
 . ./src
}
n
echo main $LINENO
trap 'echo "dbg $LINENO ${FUNCNAME[0]}: $BASH_COMMAND"' DEBUG
set -T
f() {
  for i in 1 2; do
    :
  done
  case x in x) :;; esac
  select s in a; do break; done <<< 1
  (( 1 ))
  [[ a ]]
  for ((j=0;j<1;j++)); do :; done
  while false; do :; done
  if true; then :; fi
  x=1 y=2
  ( : )
  { :; }
  : | :
  ! false
  echo $(echo sub)
}
f 2>&1
