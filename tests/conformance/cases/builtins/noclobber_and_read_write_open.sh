exec 2>&1
set -C; echo a > f; echo b > f; echo $?; echo c >| f; cat f; echo d >> f; cat f; exec 5<>f; read -u 5 x; echo $x; echo new >&5; cat f
