exec 2>&1
x=$(<nofile); echo $?; echo abc > f; x=$(<f); echo $x; echo $(< f) "$(<f)"
