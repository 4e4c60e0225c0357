((1/0)) 2>/dev/null; echo $?; let "x=1+" 2>/dev/null; echo $?; echo $((08)) 2>/dev/null; echo "after $?"
