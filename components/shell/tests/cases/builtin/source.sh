echo 'echo sourced $1 $#; x=set; return 5; echo no' > s; . ./s a b; echo $? $x; source ./s; echo $?; . ./nope 2>/dev/null; echo $?; set -- p; echo 'echo $1' > t; . ./t; . ./t q; echo $1
