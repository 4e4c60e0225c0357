cd "$(mktemp -d)" || exit 1
env -i A=1 B=2 env; env -i A=1 sh -c 'echo $A'; X=9 env -u X sh -c 'echo "[$X]"'; env FOO=bar sh -c 'echo $FOO'; env nope-cmd; echo $?; env sh -c 'exit 3'; echo $?; env -S 'echo a  "b c"'; mkdir d; env -C d pwd | grep -o '[^/]*$'; env -i -0 A=1 | tr '\0' '|'; echo; env -C nope true; echo $?
