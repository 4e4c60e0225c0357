[[ ! a == b && ( c == c || d == e ) ]] && echo 1; [[ a == b || c == c ]] && echo 2; [[ ! ( a == a ) ]] || echo 3
