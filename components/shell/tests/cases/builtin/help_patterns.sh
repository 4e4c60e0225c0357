# Which topics `help` finds, and their syntax.
help -s 'c*'; help -s 'd*' 'e*'
help -s if; help -s '[['; help -s '(('; help -s '{'; help -s 'for (('; help -s %; help -s :
help -s cd nosuch; echo $?; help nosuch 2> /dev/null; echo $?; help -s '!' 2> /dev/null; echo $?
help 'zz*' 2> /dev/null; echo $?
