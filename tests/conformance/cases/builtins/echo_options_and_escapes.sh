exec 2>&1
echo -e 'a\tb\x41\u00e9\0101\c more'; echo; echo -n x; echo -E 'a\tb'; echo -- x; echo -ne 'q\n'; echo -z; echo - ; shopt -s xpg_echo; echo 'a\tb'
