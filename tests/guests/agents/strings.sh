# strings, rev and cal. Each line runs on the same files; strings.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
strings bin.dat
strings -n 10 bin.dat
strings -10 bin.dat
strings -t x bin.dat
strings -t d bin.dat
strings -o bin.dat
strings -a bin.dat
strings -f bin.dat nonl
strings -e l bin.dat
strings -e S latin1.txt
strings -w words.txt
strings -s '|' bin.dat
strings empty
strings nosuch
strings d1
strings --nope
strings -n x bin.dat
strings --radix=o bin.dat
strings -U l latin1.txt
strings -T binary bin.dat
strings -d bin.dat
strings --bytes=6 nonl
rev words.txt
rev nonl
rev nosuch
rev nosuch nonl
rev --nope
cal 2024
cal 2 2024
cal -3 2 2024
cal -m 2 2024
cal -y 2024
cal -A 1 -B 1 2 2024
cal -j 2 2024
cal 9 1752
cal 13 2024
cal 0 2024
cal 10000
cal -1 2 2024
cal -d 2024-02
test "$(cal -m 2)" = "$(cal 2 "$(date +%Y)")"
cal -n 2 1 2024
cal -N 2 2024
cal 1 1
cal 12 9999
END
