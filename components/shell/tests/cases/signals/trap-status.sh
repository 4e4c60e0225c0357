trap '(exit 9); echo in $?' USR1
(exit 5); bash -c "kill -USR1 $$"; echo "last $?"
false; kill -USR1 $$; echo "last $?"
f() { trap 'return 8' USR1; kill -USR1 $$; echo no; }
f; echo "f $?"
trap 'break' USR1
for i in 1 2 3; do echo $i; kill -USR1 $$; done; echo "loop $?"
trap 'exit 6' USR1
bash -c "kill -USR1 $$"
echo no
