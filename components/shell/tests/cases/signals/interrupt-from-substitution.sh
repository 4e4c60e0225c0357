# Every process of the group receives it, the waiting shell and the reading program, at any moment.
set -m
for i in {1..100}; do bash -c 'cat < <(kill -INT 0)' & wait $!; echo $?; done >program 2>/dev/null
for i in {1..100}; do bash -c 'cat < <(kill -INT 0); echo "not reached: $?"' & wait $!; echo $?; done >shell 2>/dev/null
sort program | uniq -c; sort shell | uniq -c
