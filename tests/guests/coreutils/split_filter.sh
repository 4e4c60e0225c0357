# each part is the input of a command, with its name in FILE
cd "$(mktemp -d)" || exit
exec 2>&1
seq 7 > f
split -l3 --filter='echo "$FILE: $(tr "\n" " ")"' f
split -n 2 --filter='wc -c' f p; split -b5 -d -a3 --additional-suffix=.z --filter='cat > $FILE.out' f q; ls q*; cat q001.z.out
seq 3 | split -l1 --filter='test "$FILE" != xab' ; echo $?
split -n 1/2 --filter=cat f; echo $?
