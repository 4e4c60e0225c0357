# xxd, hexdump, strings, bc and dc, compared with the real programs. Each line runs on the same files; numbers.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
xxd words.txt | head -3
xxd -p words.txt
xxd -p -c 8 words.txt | head -2
xxd -p -c 0 words.txt
xxd -p words.txt | xxd -r -p | cmp - words.txt
xxd bin.dat | xxd -r | cmp - bin.dat
xxd -l 16 words.txt
xxd -s 4 -l 8 words.txt
xxd -s -8 words.txt
xxd -s +4 -l 4 words.txt
xxd -s 0x10 -l 0x10 words.txt
xxd -c 4 nonl
xxd -c 1 -l 3 nonl
xxd -c 300 nonl
xxd -g 0 nonl
xxd -e -g 2 nonl
xxd -u bin.dat
xxd -b -c 4 nonl
xxd -i nonl
xxd -i d1/a.txt
xxd -i -n name nonl
xxd -i -C nonl
xxd -u -i nonl
xxd -i -c 4 nonl
xxd -d nonl
xxd -o 16 nonl
xxd -a <(printf 'a'; head -c 100 /dev/zero)
printf '48656c6c6f' | xxd -r -p
printf '48 65 6c\n6c 6f 0a' | xxd -r -p
printf '486' | xxd -r -p | od -c
printf 'zz48' | xxd -r -p | od -c
printf '00000000: 4865 6c6c 6f0a  Hello.\n' | xxd -r
printf '0000010: 41\n' | xxd -r | od -c
printf '0: 41 42\n4: 43\n' | xxd -r | od -c
xxd -r -p nosuch
xxd -h 2>&1 | head -2
xxd -z
xxd nonl out; cat out
xxd -R never nonl
xxd -ps nonl
xxd -plain nonl
xxd -len 4 nonl
xxd -seek 2 nonl
xxd -bits nonl
xxd -include nonl
xxd -revert -plain <<< 414243
xxd -l4 -g1 nonl
xxd -c
echo hi | xxd
echo hi | xxd -
xxd -i empty
xxd -p empty
hexdump -C nonl
hexdump -C -n 8 words.txt
hexdump -C -s 8 -n 8 words.txt
hexdump -v -e '1/1 "%02x"' nonl
hexdump -v -e '/1 "%02x\n"' nonl
hexdump -e '"%08_ax  " 8/1 "%02x " "  " 8/1 "%02x "' -e '"  |" 16/1 "%_p" "|\n"' words.txt | head -3
hexdump -e '4/2 "%04x " "\n"' nonl
hexdump -e '1/4 "%u\n"' bin.dat
hexdump -e '"%_ad: " 4/1 "%3d " "\n"' nonl
hexdump -e '8/1 "%_c " "\n"' bin.dat
hexdump -e '8/1 "%_u " "\n"' bin.dat
hexdump -v -e '1/1 "%c"' nonl
hexdump -ve '1/1 "%.2X"' nonl
hexdump -n 4 -e '1/4 "%d\n"' bin.dat
hexdump -e '"%s\n"' nonl
hexdump -e 'bad' nonl
hexdump -e '1/3 "%x"' nonl
hexdump -C empty
hexdump -C <(head -c 100 /dev/zero)
hexdump -vC <(head -c 40 /dev/zero)
hexdump -C nonl d1/a.txt
hexdump -s 100 -C nonl
hexdump -s 0x4 -C nonl
hexdump -s 1k -C words.txt
hexdump -f <(echo '16/1 "%02x " "\n"') nonl
hexdump -L -C nonl
od -A x -t x1z nonl
od -c nonl
od -An -tx1 -v nonl
od -An -tu4 -N 8 bin.dat
strings -n 3 bin.dat
strings -n 12 bin.dat
strings -12 bin.dat
strings -t o bin.dat
strings -f bin.dat words.txt
strings -e l <(printf 'h\0e\0l\0l\0o\0')
strings -e b <(printf '\0h\0e\0l\0l\0o')
strings -w words.txt | head -4
strings < bin.dat
strings nosuch bin.dat
strings -n 0 bin.dat
strings --bytes=20 bin.dat
strings --radix=x bin.dat
strings -d words.txt | head -1
strings -U e latin1.txt
bc <<< '1+1'
bc <<< 'scale=2; 10/3'
bc <<< '10/3'
bc -l <<< '10/3'
bc -l <<< 's(1); c(1); a(1)*4; l(2); e(1); j(0,1)'
bc <<< 'ibase=16; FF'
bc <<< 'obase=16; 255'
bc <<< 'obase=2; 10'
bc <<< 'ibase=2; obase=A; 1010'
bc <<< 'obase=16; ibase=2; 11111111'
bc <<< '2^-1'
bc <<< 'scale=5; 2^-1'
bc <<< 'sqrt(2)'
bc <<< 'scale=10; sqrt(2)'
bc <<< '5%3; -5%3; 5.5%2'
bc <<< 'scale=2; 5.5%2'
bc <<< 'length(12345); scale(1.234); length(0.001)'
bc <<< 'x=5; x+=2; x; x++; x; ++x; x--'
bc <<< 'define f(n) { if (n <= 1) return 1; return n*f(n-1); } f(20)'
bc <<< $'define f(n) {\n  auto i\n  i = n*2\n  return (i)\n}\nf(4)'
bc <<< 'for (i=0;i<3;i++) i'
bc <<< 'while (x<3) { x+=1; print x, "\n" }'
bc <<< 'if (1) print "yes\n" else print "no\n"'
bc <<< 'a[1]=5; a[1]*2; a[2]'
bc <<< '1==1; 1!=1; !0; 1&&0; 1||0; 2>1'
bc <<< 'last; 5; last*2; .+1'
bc <<< '"hello"'
bc <<< 'print "a\tb\n"'
bc <<< '/* c */ 1 # x'
bc <<< 'foo bar'
bc <<< 'quit'
bc <<< '1;2;3'
bc <<< '0.1+0.2; .5; -.5; 1.10*2'
bc <<< '1.23*4.567'
bc -l <<< 'scale=30; 4*a(1)'
bc <<< '100000000000000000000000000000000000000000000000000000000000000000000000000000001'
bc <<< '2^300'
bc -q <<< 1
bc -s <<< '1'
echo '1+1' > f; bc f < /dev/null
echo '1+1' > f; bc f <<< '2+2'
echo '1+1' | bc -l
echo 'scale=3; 1/3' | bc
echo "$(echo '2.5 > 1.5' | bc)"
bc <<< 'obase=8; 64; obase=10; 64'
bc <<< 'obase=20; 399'
bc <<< 'obase=16; 0.5; scale=4; 0.5'
bc <<< 'ibase=16; obase=10; A+B; FF'
bc <<< '2*(3+4)^2/7'
bc <<< '-2^2; 2^3^2'
bc <<< 'define void p(x) { print x, "\n"; } p(3)'
bc <<< 'define f(a[]) { return a[0]; } b[0]=7; f(b[])'
bc <<< 'x = 3; x'
bc <<< '(x = 3)'
bc <<< 'define f(x) { return; } f(1)'
bc <<< 'auto x'
bc <<< '1e5'
bc <<< '1,000'
bc <<< '12 345'
bc <<< 'scale=2; (1.005*100)/1'
bc <<< 'x=1.5; x/1'
bc <<< 'for(;;) { if (++i>3) break; i }'
bc <<< $'1 + \\\n2'
dc -e '1 2 + p'
dc -e '2 k 10 3 / p'
dc -e '16 o 255 p'
dc -e '16 i FF p'
dc -e '1 2 3 f'
dc -e '5 d * p'
dc -e '[hello] p'
dc -e '2 10 ^ p'
dc -e '10 3 % p'
dc -e '10 3 ~ f'
dc -e '2 v p'
dc -e '5 sa la p'
dc -e '[la1+dsa5>x]dsxx 3 sa lap' 
dc -e '0sa [la1+dsap la5>x]dsxx'
dc -e 'p'
dc -e '+'
dc -e '1 0 /'
dc -e 'zp 1 2 zp'
dc -e '1 2 r f'
dc -e '1 2 3 c z p'
dc -e '123.456 X p Z p'
dc -e '3 4 5 | p' 
dc -e '2 100 7 | p'
dc -e '65 a p'
dc -e '[abc] a p'
dc -e '1 n 2 n [x] n'
dc -e '[1p q 2p] x 3p'
dc -e '? p' <<< 5
dc -e 'u'
dc -e '_5 p'
dc -e '1 2 =a'
dc <<< '2 3 * p'
dc -f <(echo '4 p')
dc -e '1 2 3 R f' 
dc -e '5 S a 6 S a L a p L a p L a p'
dc -e '3 :a'
dc -e '9 3:a 3;a p'
dc -e 'i'
dc -e '1 i'
dc -e 'K p I p O p'
dc -e '2 _1 ^ p 3k 2 _1 ^ p'
printf '01000001' | xxd -r -b
(printf 'a'; head -c 100 /dev/zero) | xxd -a
head -c 48 /dev/zero | xxd -a
(head -c 100 /dev/zero; printf x; head -c 100 /dev/zero) | xxd -a
printf 'L\tp' | dc
END
