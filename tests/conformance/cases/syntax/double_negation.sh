exec 2>&1
! ! true; echo $?
