exec 2>&1
cd /nonexist; echo $?; cd a b; echo $?; cd -z; echo $?; ls /nonexist; nosuchcmd; echo $?; ./nofile; echo $?; mkdir d; ./d; echo $?; touch f; ./f; echo $?; chmod +x f; ./f; echo $?; . ./nofile; . nofile; source; echo $?
