exec 2>&1
printf '%s|%5s|%-5s|%05d|%x|%o|%e|%g|%c|%%|%q|%b\n' a b c 42 255 8 3.14 0.0001 xyz "a b" 'x\ty'; printf '%d %d\n' 1 2 3; printf -v v '%03d' 7; echo $v; printf '%(%Y)T\n' 0; printf '%*d|%-*d|\n' 5 42 5 42; printf '%.3s|%.*s\n' abcdef 2 xyz
