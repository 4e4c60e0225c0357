printf 'foo\n' > a; grep foo * > out; echo $?; cat out; cat a | grep -H foo - > o2; cat o2
