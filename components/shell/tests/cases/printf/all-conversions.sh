# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
printf '%5d|%-5d|%05d|%+d|%x|%o|%X|%#x|%e|%g|%c|%s|%10s|%-10s|%.2s|%%\n' 42 42 42 42 255 8 255 255 1.5 0.0001 xyz str str str string; printf '%s %s\n' a b c; printf '%d\n' "'A" 0x1f 010; printf '%q\n' "a b'c" $'x\ny' ''; printf -v v '%03d' 7; echo $v; printf '%(%Y-%m-%d)T\n' 0; printf '%b' 'a\nb\x41\n'; printf '%*d|%-*d|%.*f\n' 5 1 5 2 2 3.14159; printf '%s\n'; printf '%d\n' abc; echo $?; printf '%i %u\n' -5 5; printf "%s" "no newline"; echo; printf '%5.1f|%-8.3e|%G\n' 3.14159 1234.5 1e-10
END_OF_SCRIPT
)
bash -c "$script" 2>&1
