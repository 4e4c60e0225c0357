! true; echo $?; ! false; echo $?; ! echo hi | cat; echo $?
