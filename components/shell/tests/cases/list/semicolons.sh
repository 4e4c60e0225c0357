echo a; echo b ; echo c
true; false; echo $?
