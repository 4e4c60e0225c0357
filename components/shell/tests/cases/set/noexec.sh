sh -n -c 'echo no'; echo $?; printf 'echo hi\n' > s; sh -n s; echo $?
