f() { shift; echo "$1 $#"; set -- new; echo $1; }; set -- p q; f a b c; echo $1 $#
