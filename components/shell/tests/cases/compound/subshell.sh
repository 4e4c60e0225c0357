x=1; (x=2; echo $x; cd /; exit 3); echo $? $x; (echo a; (echo b))
