echo $(echo a) `echo b` "$(echo "c d")" $(echo $(echo nested)); x=`echo \`echo deep\``; echo $x
