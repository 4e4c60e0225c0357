x=5; echo "a $x ${x} \$x \" \\ \n"
