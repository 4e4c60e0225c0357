cd "$(mktemp -d)" || exit 1
env echo -n hi; echo; env echo -e 'a\tb\n'; env echo 'a\tb'; env printf '%s-%d\n' a 5; env printf '%5.2f|%-5s|%05d|%x|%o|%e\n' 3.14159 ab 42 255 8 12345; env printf '%s\n' a b c; env printf '%b\n' 'x\ty'; env printf '\x41\101\n'; env printf '%q\n' 'a b'; env printf '%d\n' abc 2>/dev/null; echo $?; env printf '%c%%\n' xyz; env printf '%*d\n' 5 42
