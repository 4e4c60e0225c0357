: ignored args; echo $?; true; echo $?; false; echo $?; : ${x:=default}; echo $x
