cd "$(mktemp -d)" || exit 1
seq 5 > f; { head -n 2; cat; } < f; { head -n 1 > /dev/null; head -n 1; } < f; { head -c 3; cat; } < f; head -n -3 f; head -c -8 f; head -2 f; head -n 1 f f; head -qn 1 f f; printf 'a\0b\0' | head -z -n 1 | tr '\0' '|'; echo; head -v -n 1 f; head -n 0 f; mkdir d; head d; echo $?; seq 100000 | head -n -99998; seq 3 | head -c 100
