# The line that a message names: where the second word ends; in a substitution, counted from its start.
cat > s.sh <<'S'
nosuch1 a \
 b
nosuch2 \
 \
 b
nosuch3 "
"
"nosuch4
"
x=1 nosuch5 \
 a
x=$(
nosuch6
nosuch7
)
echo $(
nosuch8
nosuch9
) $LINENO
y="a
$(nosuch10)
b"
f() {
  local a=$(
    nosuch11
    g
  )
}
g() {
  nosuch12; [ 1 -eq x ]
}
f
eval 'nosuch13
nosuch14 \
 a'
((1 +
))
echo "$LINENO
$LINENO" $LINENO
x=$(
nosuch15 | cat
(nosuch16)
nosuch17 & wait
)
[[ 1 -eq
 1 ]]
S
bash s.sh 2>&1; echo $?
