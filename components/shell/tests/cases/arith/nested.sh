echo $(( $(echo 3) + $(( 2 * `echo 4` )) )) $[1+2]
