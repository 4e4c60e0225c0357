exec 2>&1
exec 3>&1 4>&2; echo a >&3; echo b 1>&4 4>&1; (echo c >&3) 3>/dev/null; exec 3>&-; echo d >&3; echo $?; exec 5< <(echo five); cat <&5; cat 0<&5-; { echo e; } 2>&1 >f; cat f; echo g >f 2>&1; cat f; ls nofile 2>f; wc -l <f; ls nofile &>f; wc -l <f; >f; wc -c <f; <f cat; cat <f >g; echo h 1>&2 2>&1 | cat; echo i >&f2; cat f2; echo j >&-; echo $?; : 6>&3; echo $?
