(exec echo replaced; echo no); (exec nosuch 2>/dev/null; echo no); echo $?; (exec -a name sh -c 'echo $0'); (FOO=1 exec sh -c 'echo $FOO')
