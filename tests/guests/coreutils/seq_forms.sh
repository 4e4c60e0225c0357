# numbers of seq: width and precision are those of the arguments
exec 2>&1
for a in '-s, 5' '-s, 0 0.1 0.5' '-s, 5 -2 -3' '-s, -0 1' '-s, 1 -1 -0' '-s, 1e1 5 2e1' '-s, 0xa 0xc' '-s, 1 0x1p-1 2' '-w -s, 8 11' '-ws, -1 1' '-ws, 9.0 10.0' '-ws, -.1 .1 .11' '-ws, 999 1e3' '-s, 99999999999999999999999 100000000000000000000001' '-f %.2f -s, 0 0.5 1' '-f %05g -s, 8 10' '-f %e 7' '-f <%-5g> 1' '-f %% 1' '-f %d 1' '-f %g%g 1' '-w -f %g 1' 'x' '1 0 2' 'nan' '1 2 3 4' '' '-s, 2 1' '1e2.3' '-- -2 -1'; do seq $a; echo "$a: $?"; done
seq inf | head -n 2; seq 100000 | tail -n 1; seq 3 > /dev/full; echo $?
