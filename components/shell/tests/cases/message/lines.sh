cat > s.sh <<'SCRIPT'
if true; then
  echo a
  nosuch1
fi
for i in 1; do
  nosuch2 |
  cat
done
f() {
  nosuch3
}
f
$(nosuch4)
x=$(nosuch5)
nosuch6 &
wait
(nosuch7)
{ nosuch8; } | cat
cat <<EOF
$(nosuch9)
EOF
SCRIPT
bash s.sh 2>&1
echo "status $?"
