echo -n a; echo -e 'x\ty\n\x41\0101\e[0m' | od -c | head -2; echo -E 'a\tb'; echo -ne 'q\n'; echo -x; echo - ; echo -nx; echo -e 'a\cb'; echo
