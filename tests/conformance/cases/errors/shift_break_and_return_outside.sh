exec 2>&1
shift 5; echo $?; shift -1; echo $?; shift x; echo $?; set -- a; shift 2; echo $?; break; continue; echo $?; return 3; echo $?; exit abc
