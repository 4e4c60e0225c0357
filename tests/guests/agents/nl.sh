# nl. Each line runs on the same files; nl.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
nl s10 | head -3
nl s10
nl -ba words.txt
nl -bt -s': ' -w3 words.txt
nl -n rz -w 4 words.txt
nl -nln words.txt
nl -b 'p^[a-z]*=' conf.ini
nl -b 'p\(o\)\1' words.txt
nl -v 10 -i 5 s10
nl -s '' nonl
nl -ba -l 2 words.txt
nl -i -1 -v 3 nonl
nl nope
nl d1
nl -b x s10
nl -w 0 s10
nl -n zz s10
nl -v x s10
nl -Q
nl -d
printf 'x\n\\:\\:\\:\nh\n\\:\\:\nb\n\\:\nf\n' | nl -ha -fa
printf 'x\n\\:\\:\\:\nh\n\\:\\:\nb\n\\:\nf\n' | nl -p -ha
printf 'a\n++\nb\n++++\nc\n' | nl -d ++
nl -v 9223372036854775807 nonl
nl s10 nonl | tail -4
cat s10 | nl - | tail -1
END
