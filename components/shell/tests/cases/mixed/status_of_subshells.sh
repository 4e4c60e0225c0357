echo 1 2 3 | (read a b; echo $b; exit 4); echo $?; (echo sub; exit 3) && echo no || echo "rc $?"
