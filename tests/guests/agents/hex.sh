# xxd and hexdump. Each line runs on the same files; hex.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
xxd bin.dat
xxd nonl
xxd empty
xxd -p nonl
xxd -r -p <<< '68656c6c6f'
xxd -r -p <<< '68 65 6c6c 6f zz'
xxd nonl | xxd -r
xxd -l 10 bin.dat
xxd -s 5 -l 4 bin.dat
xxd -s -5 bin.dat
xxd -c 8 nonl
xxd -g 1 nonl
xxd -g 4 nonl
xxd -b nonl
xxd -e nonl
xxd -u bin.dat | head -12 | tail -1
xxd -i < nonl
xxd -i -n foo nonl
xxd -C -i nonl
xxd -o 100 nonl
xxd -a bin.dat | tail -3
head -c 100 /dev/zero | xxd -a
xxd -ps -c 4 nonl
xxd -cols 4 nonl
xxd -len 5 nonl
xxd -seek 5 nonl
xxd -R always nonl
xxd nosuch
xxd --nope
xxd -h
printf '0000: 41 42\n' > h; xxd -r h out; cat out
xxd -r <<< '0000005: 41'
xxd -r -s 3 <<< '0000005: 41'
xxd -p -c 0 o.txt
xxd -l 0x10 bin.dat
xxd -c 0 nonl
xxd -p -u nonl
xxd -b -c 3 nonl
xxd -i -u nonl
xxd -r -p <<< '4142
xxd -r -p <<< 'abc'
echo hi | xxd - 
hexdump nonl
hexdump -C bin.dat
hexdump -c nonl
hexdump -b nonl
hexdump -d nonl
hexdump -o nonl
hexdump -x nonl
hexdump -v -C /dev/null
head -c 64 /dev/zero | hexdump -C
head -c 64 /dev/zero | hexdump -vC
hexdump -n 5 -C nonl
hexdump -s 2 -C nonl
hexdump -s 2 -n 3 -C nonl
hexdump -e '16/1 "%02x " "\n"' nonl
hexdump -ve '1/1 "%.2x"' nonl
hexdump -e '"%07.7_Ax\n"' -e '8/2 "%04x " "\n"' nonl
hexdump -f nosuch nonl
hexdump nosuch
hexdump nosuch nonl
hexdump --nope
hexdump -L=always -C nonl
hexdump -e '"%c\n"' nonl
hexdump -e '%d' nonl
hexdump -e '"%_u\n"' nonl
hexdump -n x nonl
hd nonl
hexdump --canonical --length 4 nonl
hexdump -X nonl
END
