echo "a:b:c" | { IFS=: read x y z; echo $z$y$x; }; echo "${PATH:+set}"; echo "${#@}"
