echo one \
  two \
  three
x="multi
line"; echo "$x"; echo a &&
echo b ||
echo c |
cat
