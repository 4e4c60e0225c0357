set -- a b c d e f g h i j k; echo $1 $10 ${10} ${11} $#; shift 3; echo $1 $#
