true; echo $?; false; echo $?; (exit 3); echo $?; echo ${#-} >/dev/null; set -- a; echo "$#"
