exec 2>&1
type f 2>&1; a=1 b=2 c; x() { a=1; b=(1 2); declare -A m=([k]=v); local -i z; readonly q=1; export p=2; echo a; >f; <f cat; 2>&1 ls; ls 2>&1 | cat |& cat; a && b || c; a; b & c; }; declare -f x
