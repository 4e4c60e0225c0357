cd "$(mktemp -d)" || exit 1
printf 'foo\n' > a; printf 'bar\n' > b
grep -L foo a; echo $?; grep -L foo a b; echo $?; grep -L -m0 foo a b; echo $?; grep -L -m1 foo a b; echo $?; grep -m0 '[' nope; echo $?; grep -c -m0 foo a; echo $?; grep -l -m0 foo a; echo $?; grep -v -m0 foo a; echo $?; : > n; grep -c -f n a; echo $?; grep -v -f n a; grep -v '' a; echo $?; grep -cv '' a; echo $?; grep -Lf n a; echo $?; grep -vw '' a; echo $?
